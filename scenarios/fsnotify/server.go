// Package fsnotify runs a server that loads its configuration again whenever
// github.com/fsnotify/fsnotify, unmodified, tells that its file has changed.
package fsnotify

import (
	"flag"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/fsnotify/fsnotify"
)

const (
	configDir  = "/etc/app"
	configPath = configDir + "/config"
)

// Bugs that can be planted. Both are what programs that watch files are known for.
const (
	bugWatchFile = "watch-file"     // the file, which renaming replaces, not its directory
	bugInPlace   = "write-in-place" // the file is loaded while it is written
)

// server serves the version of the configuration that it loaded last.
type server struct {
	bug     string
	version atomic.Int64
}

// Main runs the server: GET / answers the version that it has loaded, PUT / writes
// another one to the file.
func Main() {
	listen := flag.String("listen", ":80", "address")
	bug := flag.String("bug", "none", "bug that is planted")
	flag.Parse()
	s := &server{bug: *bug}
	if err := s.prepare(); err != nil {
		log.Fatal(err)
	}
	w, err := fsnotify.NewWatcher()
	if err != nil {
		log.Fatal(err)
	}
	watched := configDir
	if s.bug == bugWatchFile {
		watched = configPath
	}
	if err := w.Add(watched); err != nil {
		log.Fatal(err)
	}
	s.load() // after what could have been missed
	go s.follow(w)
	mux := http.NewServeMux()
	mux.HandleFunc("GET /", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, s.version.Load()) })
	mux.HandleFunc("PUT /", s.put)
	log.Fatal(http.ListenAndServe(*listen, mux))
}

// prepare has there be a configuration.
func (s *server) prepare() error {
	if err := os.MkdirAll(configDir, 0o755); err != nil {
		return err
	}
	if _, err := os.Stat(configPath); err == nil {
		return nil
	}
	return replace(text("0"))
}

// follow loads the configuration whenever it has changed.
func (s *server) follow(w *fsnotify.Watcher) {
	for {
		select {
		case e := <-w.Events:
			if e.Name == configPath && e.Has(fsnotify.Create|fsnotify.Write) {
				s.load()
			}
		case err := <-w.Errors:
			log.Fatal(err)
		}
	}
}

// lines is how often a configuration says its version: one that was loaded in part
// shows.
const lines = 1000

func text(version string) []byte { return []byte(strings.Repeat(version+"\n", lines)) }

func (s *server) load() {
	b, err := os.ReadFile(configPath)
	if err != nil {
		log.Fatal(err)
	}
	first, _, _ := strings.Cut(string(b), "\n")
	version, err := strconv.ParseInt(first, 10, 64)
	if err != nil || string(b) != string(text(first)) {
		log.Fatalf("torn configuration: %d bytes that begin with %q: %v", len(b), first, err)
	}
	s.version.Store(version)
}

func (s *server) put(w http.ResponseWriter, r *http.Request) {
	version, err := io.ReadAll(r.Body)
	if err == nil && s.bug == bugInPlace {
		err = os.WriteFile(configPath, text(string(version)), 0o644)
	} else if err == nil {
		err = replace(text(string(version)))
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
	}
}

// replace puts a whole file in the place of the configuration, durably.
func replace(b []byte) error {
	f, err := os.CreateTemp(configDir, "new")
	if err != nil {
		return err
	}
	defer f.Close()
	if _, err := f.Write(b); err != nil {
		return err
	}
	if err := f.Sync(); err != nil {
		return err
	}
	if err := os.Rename(f.Name(), configPath); err != nil {
		return err
	}
	return syncDir(filepath.Dir(configPath))
}

func syncDir(name string) error {
	d, err := os.Open(name)
	if err != nil {
		return err
	}
	defer d.Close()
	return d.Sync()
}
