package kv

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"slices"
	"strings"
	"time"
)

// A Client sends each call as one request to one node, and never again: a
// retry is the caller's, and another call. It goes to the node that answered
// last, or the one that node named as the leader; else to the next in turn.
//
// A Client is for one goroutine.
type Client struct {
	// Timeout of a call. 0 means DefaultTimeout.
	Timeout time.Duration
	// HTTP sends the requests. Nil means http.DefaultClient.
	HTTP *http.Client

	addrs  []string
	turn   int    // index of the node last taken in turn
	target string // address of the next request
}

// DefaultTimeout is longer than an election commonly takes.
const DefaultTimeout = 2 * time.Second

// NewClient returns a client of the nodes at these HTTP addresses (host:port).
func NewClient(addrs ...string) *Client {
	if len(addrs) == 0 {
		panic("kv: a client without addresses")
	}
	return &Client{addrs: slices.Clone(addrs), target: addrs[0]}
}

// A Reply is what a node answered. Only Node is set in a call that was not OK.
type Reply struct {
	Value   string // of a Get; of a CAS, the value before it
	Found   bool   // a Get found the key
	Swapped bool   // a CAS found the old value
	Node    string // address asked
}

// Get reads a key. A read has no effect, so it is OK or Failed.
func (c *Client) Get(ctx context.Context, key string) (Reply, Outcome, error) {
	a := c.send(ctx, request{method: http.MethodGet, path: "/kv/" + url.PathEscape(key)})
	if a.outcome == Unknown {
		a.outcome = Failed
	}
	reply := Reply{Node: a.node}
	if a.outcome == OK {
		reply.Value = a.body
		reply.Found = a.status == http.StatusOK
	}
	return reply, a.outcome, a.err
}

// Put writes a key.
func (c *Client) Put(ctx context.Context, key, value string) (Reply, Outcome, error) {
	a := c.send(ctx, request{method: http.MethodPut, path: "/kv/" + url.PathEscape(key), body: value})
	return Reply{Node: a.node}, a.outcome, a.err
}

// CAS writes next if the key holds old, where a key that was never written
// holds the empty string. A value that differs is an answer, not an error.
func (c *Client) CAS(ctx context.Context, key, old, next string) (Reply, Outcome, error) {
	form := url.Values{"old": {old}, "new": {next}}
	a := c.send(ctx, request{
		method:      http.MethodPost,
		path:        "/cas/" + url.PathEscape(key),
		contentType: "application/x-www-form-urlencoded",
		body:        form.Encode(),
	})
	reply := Reply{Node: a.node}
	if a.outcome == OK {
		reply.Value = a.body
		reply.Swapped = a.status == http.StatusOK
	}
	return reply, a.outcome, a.err
}

type request struct {
	method      string
	path        string
	contentType string
	body        string
}

type answer struct {
	node    string
	outcome Outcome
	status  int
	leader  string // address, if the node named one
	body    string
	err     error
}

// send makes one request and chooses the node of the next.
func (c *Client) send(ctx context.Context, req request) answer {
	timeout := c.Timeout
	if timeout == 0 {
		timeout = DefaultTimeout
	}
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	a := c.exchange(ctx, c.target, req)
	switch {
	case a.leader != "":
		c.target = a.leader
	case a.outcome != OK:
		c.target = c.next(a.node)
	}
	return a
}

// next returns the node whose turn it is, but the one just asked.
func (c *Client) next(asked string) string {
	for range c.addrs {
		c.turn = (c.turn + 1) % len(c.addrs)
		if c.addrs[c.turn] != asked {
			break
		}
	}
	return c.addrs[c.turn]
}

// exchange makes one request to one node. A request that never had a
// connection was not carried out; of one that had, only an answer tells.
func (c *Client) exchange(ctx context.Context, node string, req request) answer {
	a := answer{node: node}
	sent := false
	ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		GotConn: func(httptrace.GotConnInfo) { sent = true },
	})
	resp, err := c.do(ctx, node, req)
	if err != nil {
		if !sent {
			a.outcome = Failed
		}
		a.err = err
		return a
	}
	defer resp.Body.Close()
	a.status = resp.StatusCode
	a.outcome = outcomeOf(resp.StatusCode)
	a.leader = resp.Header.Get(leaderHeader)
	body, err := io.ReadAll(resp.Body)
	a.body = string(body)
	switch {
	case a.outcome != OK:
		a.err = fmt.Errorf("%s %s%s: %s: %s", req.method, node, req.path, resp.Status, strings.TrimSpace(a.body))
	case err != nil:
		a.outcome, a.err = Unknown, err
	}
	return a
}

func (c *Client) do(ctx context.Context, node string, req request) (*http.Response, error) {
	var body io.Reader
	if req.method != http.MethodGet {
		body = strings.NewReader(req.body)
	}
	r, err := http.NewRequestWithContext(ctx, req.method, "http://"+node+req.path, body)
	if err != nil {
		return nil, err
	}
	if req.contentType != "" {
		r.Header.Set("Content-Type", req.contentType)
	}
	client := c.HTTP
	if client == nil {
		client = http.DefaultClient
	}
	return client.Do(r)
}

// GetStatus asks one node how it sees the group.
func GetStatus(ctx context.Context, addr string) (Status, error) {
	a := NewClient(addr).exchange(ctx, addr, request{method: http.MethodGet, path: "/status"})
	if a.err != nil {
		return Status{}, a.err
	}
	var s Status
	if err := json.Unmarshal([]byte(a.body), &s); err != nil {
		return Status{}, fmt.Errorf("status of %s: %w", addr, err)
	}
	return s, nil
}

// StatusTimeout is how long StatusLeader waits for each node.
const StatusTimeout = time.Second

// StatusLeader returns the ID of the node that says it leads, that of the
// highest term if several do, or "" if none does.
func StatusLeader(addrs []string) string {
	var leader Status
	for _, addr := range addrs {
		ctx, cancel := context.WithTimeout(context.Background(), StatusTimeout)
		s, err := GetStatus(ctx, addr)
		cancel()
		if err == nil && s.State == "Leader" && s.Term >= leader.Term {
			leader = s
		}
	}
	return leader.ID
}
