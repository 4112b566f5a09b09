// Package nethttp runs the standard library's unmodified HTTP server and client
// in a world: keep-alive, timeouts, cancellation, shutdown, and the default client
// and mux, of which every node has its own.
package nethttp

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/orrery-sim/orrery/sim"
)

// server answers on the default mux and says what it sees.
var server = sim.NewProgram("server", func() {
	http.HandleFunc("/echo", func(w http.ResponseWriter, r *http.Request) {
		host, _, _ := net.SplitHostPort(r.RemoteAddr)
		fmt.Println("request from", host)
		io.Copy(w, r.Body)
	})
	http.HandleFunc("/slow", func(w http.ResponseWriter, r *http.Request) {
		fmt.Println("slow begins")
		select {
		case <-time.After(3 * time.Second):
			io.WriteString(w, "slow")
			fmt.Println("slow ends")
		case <-r.Context().Done():
			fmt.Println("slow is cancelled")
		}
	})
	s := &http.Server{Addr: ":80", ConnState: func(c net.Conn, st http.ConnState) {
		if st == http.StateNew {
			fmt.Println("connection")
		}
	}}
	http.HandleFunc("/shutdown", func(w http.ResponseWriter, r *http.Request) {
		go func() {
			err := s.Shutdown(context.Background())
			fmt.Println("shutdown:", err)
		}()
	})
	if err := s.ListenAndServe(); !errors.Is(err, http.ErrServerClosed) {
		log.Fatal(err)
	}
	time.Sleep(time.Minute)
})

// hundred makes a hundred requests over the default client.
var hundred = sim.NewProgram("hundred", func() {
	ok := 0
	http.DefaultClient.Timeout = 200 * time.Millisecond
	for i := range 100 {
		body := strconv.Itoa(i)
		resp, err := http.Post("http://"+os.Args[1]+"/echo", "text/plain", strings.NewReader(body))
		if err != nil {
			continue
		}
		b, err := io.ReadAll(resp.Body)
		resp.Body.Close()
		if err == nil && string(b) == body {
			ok++
		}
	}
	fmt.Println("done", ok)
})

func count(lines []string, prefix string) (n int) {
	for _, l := range lines {
		if strings.HasPrefix(l, prefix) {
			n++
		}
	}
	return n
}

// TestDefaultClient has two nodes use the default client, one of them cut off.
// Were the client shared, its requests would cross on the other's connections.
func TestDefaultClient(t *testing.T) {
	sim.Test(t, func(w *sim.World) {
		s, a, b := w.Node("s"), w.Node("a"), w.Node("b")
		s.Start(server)
		a.Start(hundred, s.Addr())
		b.Start(hundred, s.Addr())
		w.Plan("at 0s partition b|s,a")
		w.Clients("c", 1)[0].Run(func() {
			for count(w.Log("a"), "done")+count(w.Log("b"), "done") < 2 {
				time.Sleep(time.Second)
			}
			log := w.Log("s")
			if got := w.Log("a"); count(got, "done 100") != 1 {
				t.Fatalf("a is connected and says %q, want 100 answers", got)
			}
			if got := w.Log("b"); count(got, "done 0") != 1 {
				t.Fatalf("b is cut off and says %q, want no answer", got)
			}
			if n := count(log, "request from "+a.Addr()); n != 100 || count(log, "request from") != n {
				t.Fatalf("the server saw %d requests of a, and %d in all, want 100 and no other", n, count(log, "request from"))
			}
			if n := count(log, "connection"); n != 1 {
				t.Fatalf("the server saw %d connections, want the one that is kept alive", n)
			}
		})
	})
}

// TestServer goes through what a server and a client promise each other.
func TestServer(t *testing.T) {
	sim.Test(t, func(w *sim.World) {
		s := w.Node("s")
		s.Start(server)
		w.Clients("c", 1)[0].Run(func() {
			time.Sleep(time.Second)
			timeout(t, s.Addr())
			cancellation(t, s.Addr())
			if n := count(w.Log("s"), "slow is cancelled"); n != 2 {
				t.Fatalf("the server saw %d cancelled requests, want 2", n)
			}
			shutdown(t, s.Addr())
			if log := w.Log("s"); count(log, "slow ends") != 1 || count(log, "shutdown: <nil>") != 1 {
				t.Fatalf("the server did not end in order: %q", log)
			}
		})
	})
}

func timeout(t *testing.T, addr string) {
	client := &http.Client{Timeout: time.Second}
	start := time.Now()
	_, err := client.Get("http://" + addr + "/slow")
	var n net.Error
	if !errors.As(err, &n) || !n.Timeout() || time.Since(start).Round(time.Millisecond) != time.Second {
		t.Fatalf("got %v after %v, want a timeout after 1s", err, time.Since(start))
	}
}

func cancellation(t *testing.T, addr string) {
	ctx, cancel := context.WithCancel(context.Background())
	time.AfterFunc(500*time.Millisecond, cancel)
	req, _ := http.NewRequestWithContext(ctx, "GET", "http://"+addr+"/slow", nil)
	if _, err := http.DefaultClient.Do(req); !errors.Is(err, context.Canceled) {
		t.Fatalf("got %v, want a cancelled request", err)
	}
	time.Sleep(100 * time.Millisecond)
}

// shutdown asks a server that is at a request to end: the request completes, and
// no other gets in.
func shutdown(t *testing.T, addr string) {
	answer := make(chan string)
	go func() {
		resp, err := http.Get("http://" + addr + "/slow")
		if err != nil {
			answer <- err.Error()
			return
		}
		b, _ := io.ReadAll(resp.Body)
		answer <- string(b)
	}()
	time.Sleep(100 * time.Millisecond)
	resp, err := http.Get("http://" + addr + "/shutdown")
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	time.Sleep(100 * time.Millisecond)
	if _, err := (&http.Client{}).Get("http://" + addr + "/echo"); err == nil {
		t.Fatal("a server that shuts down took a request")
	}
	if got := <-answer; got != "slow" {
		t.Fatalf("the request during the shutdown got %q, want %q", got, "slow")
	}
	time.Sleep(time.Second)
}
