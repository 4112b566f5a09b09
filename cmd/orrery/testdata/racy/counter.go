// Package racy has a counter that needs a lock, and a program that may take it.
package racy

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"sync"
	"time"
)

// counter is a number that two goroutines count up.
type counter struct {
	mu sync.Mutex
	n  int
}

// count takes the lock if the program is told "locked".
func (c *counter) count() {
	if os.Args[1] == "locked" {
		c.mu.Lock()
		defer c.mu.Unlock()
	}
	c.n++
}

// program counts, prints, and asks a server of its own: the standard library's
// pools, logs and connections are in use.
func program() {
	var c counter
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(c.count)
	}
	wg.Wait()
	fmt.Println("counted to", c.n)
	go http.ListenAndServe(":80", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { io.Copy(w, r.Body) }))
	for range 10 {
		if res, err := http.Post("http://localhost/", "text/plain", strings.NewReader("hello")); err == nil {
			io.Copy(io.Discard, res.Body)
			res.Body.Close()
		}
	}
	time.Sleep(2 * time.Second) // the kill finds it here
}
