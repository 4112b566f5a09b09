// Package kv is a replicated key-value service: hashicorp/raft over TCP, a
// bbolt log on disk, HTTP for clients. It is an ordinary program, which knows
// nothing of how it is run, and its client.
//
// Three nodes make a group:
//
//	kv -id n1 -data-dir /var/lib/kv -peers n1=10.0.0.1,n2=10.0.0.2,n3=10.0.0.3
//
// A node answers:
//
//	PUT  /kv/KEY    the body is the value: 200
//	GET  /kv/KEY    200 with the value, or 204 for a key never written
//	POST /cas/KEY   form values old and new: 200 if swapped, else 409, with the value before
//	GET  /status    a Status in JSON
//
// A key that was never written holds the empty string, as far as a swap is
// concerned. A request that was not carried out says whether it still may be:
// see Outcome.
package kv

import (
	"log"
	"net"
	"net/http"
	"os"
)

// Main runs a node until the process ends. Its options are the arguments of
// the process.
func Main() {
	opt, err := parseOptions()
	if err != nil {
		log.Fatalf("kv: %v", err)
	}
	log.SetPrefix(opt.id + " ")
	if err := serve(opt); err != nil {
		log.Fatalf("kv: %v", err)
	}
}

func serve(opt options) error {
	// The address is taken before raft starts, so that a second process on
	// the same data fails without disturbing the group.
	ln, err := net.Listen("tcp", opt.httpAddr)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(opt.dataDir, 0o755); err != nil {
		return err
	}
	n, err := startNode(opt)
	if err != nil {
		return err
	}
	n.handle(http.DefaultServeMux)
	return http.Serve(ln, nil)
}
