// Package wire is how small systems talk: one JSON value asks and one
// answers, over HTTP.
package wire

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptrace"
	"strings"
	"time"
)

// Addr is where a server listens: "10.0.0.1:80".
type Addr string

// List is what a flag of several addresses holds, separated by commas.
type List []Addr

func (l List) String() string {
	var parts []string
	for _, a := range l {
		parts = append(parts, string(a))
	}
	return strings.Join(parts, ",")
}

func (l *List) Set(s string) error {
	for part := range strings.SplitSeq(s, ",") {
		*l = append(*l, Addr(part))
	}
	return nil
}

// Refusal is the error of a request that was not carried out and never will be.
// After any other error it may have been, or may be yet.
type Refusal struct{ Reason string }

func (r *Refusal) Error() string { return r.Reason }

// Refuse makes a Refusal.
func Refuse(format string, args ...any) error {
	return &Refusal{fmt.Sprintf(format, args...)}
}

// Refused reports whether an error says for certain that nothing was done.
func Refused(err error) bool {
	var r *Refusal
	return errors.As(err, &r)
}

// Handle answers requests for a path by a function.
func Handle[In, Out any](mux *http.ServeMux, path string, answer func(In) (Out, error)) {
	mux.HandleFunc("POST "+path, func(w http.ResponseWriter, r *http.Request) {
		var in In
		if err := json.NewDecoder(r.Body).Decode(&in); err != nil {
			http.Error(w, err.Error(), http.StatusConflict)
			return
		}
		out, err := answer(in)
		switch {
		case Refused(err):
			http.Error(w, err.Error(), http.StatusConflict)
		case err != nil:
			http.Error(w, err.Error(), http.StatusInternalServerError)
		default:
			json.NewEncoder(w).Encode(out)
		}
	})
}

// Call asks a server, and waits for its answer for a time at most.
func Call[Out any](to Addr, path string, in any, within time.Duration) (out Out, err error) {
	body, err := json.Marshal(in)
	if err != nil {
		return out, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), within)
	defer cancel()
	sent := false
	ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		GotConn: func(httptrace.GotConnInfo) { sent = true },
	})
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://"+string(to)+path, bytes.NewReader(body))
	if err != nil {
		return out, err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		if !sent {
			err = &Refusal{err.Error()}
		}
		return out, err
	}
	defer resp.Body.Close()
	answer, err := io.ReadAll(resp.Body)
	if resp.StatusCode != http.StatusOK {
		return out, failure(resp, answer)
	}
	if err != nil {
		return out, err
	}
	return out, json.Unmarshal(answer, &out)
}

func failure(resp *http.Response, text []byte) error {
	reason := strings.TrimSpace(string(text))
	if resp.StatusCode == http.StatusConflict {
		return &Refusal{reason}
	}
	return fmt.Errorf("%s: %s", resp.Status, reason)
}
