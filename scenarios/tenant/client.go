package tenant

import (
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/orrery-sim/orrery/scenarios/internal/wire"
)

// Client makes requests of a gateway with an account's token.
type Client struct {
	Gateway wire.Addr
	Token   string
}

// clientTimeout is how long a client waits.
const clientTimeout = time.Second

// Answer is a whole answer.
type Answer struct {
	Status int
	Text   string // status, headers in order, and body
	Body   string
}

// Do makes a request, such as GET of "/t/acme/docs/d1". An error means that no whole
// answer came, and the request may have been carried out.
func (c *Client) Do(method, path, body string) (Answer, error) {
	req, err := http.NewRequest(method, "http://"+string(c.Gateway)+path, strings.NewReader(body))
	if err != nil {
		return Answer{}, err
	}
	req.Header.Set("Authorization", "Bearer "+c.Token)
	web := &http.Client{Timeout: clientTimeout}
	resp, err := web.Do(req)
	if err != nil {
		return Answer{}, err
	}
	defer resp.Body.Close()
	data, err := io.ReadAll(resp.Body)
	if err != nil {
		return Answer{}, err
	}
	var b strings.Builder
	b.WriteString(resp.Status + "\n")
	for _, name := range slices.Sorted(maps.Keys(resp.Header)) {
		b.WriteString(name + ": " + strings.Join(resp.Header[name], ", ") + "\n")
	}
	b.WriteString("\n" + string(data))
	return Answer{resp.StatusCode, b.String(), string(data)}, nil
}
