package kv

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"

	"github.com/hashicorp/raft"
)

// answerWith serves every request by a status and counts them.
func answerWith(t *testing.T, status int, leader string) (addr string, count *atomic.Int32) {
	count = new(atomic.Int32)
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		count.Add(1)
		if leader != "" {
			w.Header().Set(leaderHeader, leader)
		}
		w.WriteHeader(status)
		if status != http.StatusNoContent {
			w.Write([]byte("v"))
		}
	}))
	t.Cleanup(srv.Close)
	return srv.Listener.Addr().String(), count
}

func TestClientReadsStatuses(t *testing.T) {
	for _, tc := range []struct {
		status        int
		get, put, cas Outcome
	}{
		{http.StatusOK, OK, OK, OK},
		{http.StatusNoContent, OK, OK, OK},
		{http.StatusConflict, OK, OK, OK},
		{http.StatusMisdirectedRequest, Failed, Failed, Failed},
		{http.StatusServiceUnavailable, Failed, Failed, Failed},
		{http.StatusBadRequest, Failed, Failed, Failed},
		{http.StatusNotFound, Failed, Failed, Failed},
		{http.StatusGatewayTimeout, Failed, Unknown, Unknown},
		{http.StatusInternalServerError, Failed, Unknown, Unknown},
		{http.StatusBadGateway, Failed, Unknown, Unknown},
	} {
		addr, count := answerWith(t, tc.status, "")
		c := NewClient(addr)
		ctx := context.Background()
		get, getOutcome, getErr := c.Get(ctx, "k")
		_, putOutcome, putErr := c.Put(ctx, "k", "v")
		cas, casOutcome, casErr := c.CAS(ctx, "k", "o", "n")
		if getOutcome != tc.get || putOutcome != tc.put || casOutcome != tc.cas {
			t.Errorf("%d: get %v, put %v, cas %v", tc.status, getOutcome, putOutcome, casOutcome)
		}
		if (getErr == nil) != (tc.get == OK) || (putErr == nil) != (tc.put == OK) || (casErr == nil) != (tc.cas == OK) {
			t.Errorf("%d: errors %v, %v, %v", tc.status, getErr, putErr, casErr)
		}
		if get.Found != (tc.status == http.StatusOK) || cas.Swapped != (tc.status == http.StatusOK) {
			t.Errorf("%d: found %t, swapped %t", tc.status, get.Found, cas.Swapped)
		}
		if count.Load() != 3 {
			t.Errorf("%d: %d requests for 3 calls", tc.status, count.Load())
		}
	}
}

func TestClientFollowsTheLeader(t *testing.T) {
	ctx := context.Background()
	leader, leaderCount := answerWith(t, http.StatusOK, "")
	follower, followerCount := answerWith(t, http.StatusMisdirectedRequest, leader)
	c := NewClient(follower, leader)
	first, outcome, _ := c.Put(ctx, "k", "v")
	if outcome != Failed || first.Node != follower {
		t.Errorf("follower: %+v, %v", first, outcome)
	}
	for range 3 {
		if r, outcome, err := c.Put(ctx, "k", "v"); outcome != OK || r.Node != leader {
			t.Errorf("leader: %+v, %v, %v", r, outcome, err)
		}
	}
	if followerCount.Load() != 1 || leaderCount.Load() != 3 {
		t.Errorf("%d requests to the follower, %d to the leader, want 1 and 3", followerCount.Load(), leaderCount.Load())
	}
}

func TestClientTakesTurns(t *testing.T) {
	addr, _ := answerWith(t, http.StatusServiceUnavailable, "")
	c := NewClient("a", addr, "b")
	c.target = addr
	c.Put(context.Background(), "k", "v")
	if c.target != "b" {
		t.Errorf("next is %q, want b: the node that failed is not asked twice in a row", c.target)
	}
}

// A listener that nobody serves: connections are made and never answered.
func silent(t *testing.T) net.Listener {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { ln.Close() })
	return ln
}

func TestClientWithoutAnswer(t *testing.T) {
	ctx := context.Background()
	t.Run("refused", func(t *testing.T) {
		ln := silent(t)
		ln.Close()
		if _, outcome, err := NewClient(ln.Addr().String()).Put(ctx, "k", "v"); outcome != Failed || err == nil {
			t.Errorf("%v, %v, want failed", outcome, err)
		}
	})
	t.Run("given up", func(t *testing.T) {
		ctx, cancel := context.WithCancel(ctx)
		srv := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			io.ReadAll(r.Body) // so that the server notices the client leave
			cancel()
			<-r.Context().Done()
		}))
		defer srv.Close()
		c := NewClient(srv.Listener.Addr().String())
		if _, outcome, err := c.Put(ctx, "k", "v"); outcome != Unknown || !errors.Is(err, context.Canceled) {
			t.Errorf("%v, %v, want unknown", outcome, err)
		}
	})
	t.Run("timeout", func(t *testing.T) {
		c := NewClient(silent(t).Addr().String())
		c.Timeout = time.Nanosecond
		if _, outcome, err := c.Put(ctx, "k", "v"); outcome != Failed || !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%v, %v, want failed: there was no time to connect", outcome, err)
		}
	})
	t.Run("cut off", func(t *testing.T) {
		var count atomic.Int32
		srv := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
			count.Add(1)
			panic(http.ErrAbortHandler)
		}))
		defer srv.Close()
		c := NewClient(srv.Listener.Addr().String())
		if _, outcome, err := c.Put(ctx, "k", "v"); outcome != Unknown || err == nil {
			t.Errorf("%v, %v, want unknown", outcome, err)
		}
		if count.Load() != 1 {
			t.Errorf("%d requests for one call", count.Load())
		}
	})
}

func TestStatusOf(t *testing.T) {
	for _, tc := range []struct {
		err  error
		want Outcome
	}{
		{raft.ErrNotLeader, Failed},
		{raft.ErrEnqueueTimeout, Failed},
		{raft.ErrLeadershipTransferInProgress, Failed},
		{raft.ErrLeadershipLost, Unknown},
		{raft.ErrRaftShutdown, Unknown},
		{raft.ErrAbortedByRestore, Unknown},
		{errors.New("write raft.db: input/output error"), Unknown},
	} {
		if got := outcomeOf(statusOf(tc.err)); got != tc.want {
			t.Errorf("%v: %v, want %v", tc.err, got, tc.want)
		}
	}
}
