package wire

import (
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"
)

// A caller knows that nothing was done only if the server said so, or never heard.
func TestRefused(t *testing.T) {
	mux := http.NewServeMux()
	Handle(mux, "/double", func(n int) (int, error) {
		switch {
		case n < 0:
			return 0, Refuse("%d is negative", n)
		case n == 0:
			return 0, errors.New("nothing came of it")
		case n > 100:
			time.Sleep(time.Second)
		}
		return 2 * n, nil
	})
	mux.HandleFunc("/hangup", func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) })
	server := httptest.NewServer(mux)
	defer server.Close()
	here := Addr(server.Listener.Addr().String())
	for name, c := range map[string]struct {
		to      Addr
		path    string
		in      any
		want    int // 0 for an error
		refused bool
	}{
		"answered":          {here, "/double", 4, 8, false},
		"refused":           {here, "/double", -1, 0, true},
		"not understood":    {here, "/double", "four", 0, true},
		"failed":            {here, "/double", 0, 0, false},
		"late":              {here, "/double", 101, 0, false},
		"hung up":           {here, "/hangup", 4, 0, false},
		"nobody listens":    {nobody(t), "/double", 4, 0, true},
		"no such operation": {here, "/triple", 4, 0, false},
	} {
		got, err := Call[int](c.to, c.path, c.in, 200*time.Millisecond)
		if got != c.want || (err == nil) != (c.want != 0) || Refused(err) != c.refused {
			t.Errorf("%s: got %d, %v, refused %t, want %d, refused %t", name, got, err, Refused(err), c.want, c.refused)
		}
	}
}

// nobody is an address at which nothing listens.
func nobody(t *testing.T) Addr {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return Addr(l.Addr().String())
}
