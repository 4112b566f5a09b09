package tenant

import (
	"encoding/json"
	"errors"
	"flag"
	"io/fs"
	"log"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/orrery-sim/orrery/scenarios/internal/journal"
	"github.com/orrery-sim/orrery/scenarios/internal/wire"
)

// job is an export, or the record that it is done.
type job struct {
	Number       int
	Tenant, Name string
	File         string
	Done         bool `json:",omitempty"`
}

// jobs does what takes long: it writes exports, one by one, and keeps the index. A job
// that was accepted outlives a crash.
type jobs struct {
	store wire.Addr
	bug   string
	log   *journal.Journal
	index index

	mu      sync.Mutex
	pending []job // the first is being done
	last    int   // the number of the last job
	resumed int   // jobs up to that number were accepted before the process started
	caller  string
}

const (
	exportDir  = "/exports"
	exportStep = 20 * time.Millisecond // between two documents, to spare the store
	jobsIdle   = 20 * time.Millisecond
)

// JobsMain runs the background jobs until the process ends.
func JobsMain() {
	j := &jobs{}
	flags := flag.NewFlagSet(os.Args[0], flag.ExitOnError)
	listen := flags.String("listen", "", "`address` to listen on")
	flags.StringVar((*string)(&j.store), "store", "", "`address` of the store")
	flags.StringVar(&j.bug, "bug", "", "`name` of a planted bug")
	flags.Parse(os.Args[1:])
	j.index.store, j.index.bug = j.store, j.bug
	if err := j.open(); err != nil {
		log.Fatal(err)
	}
	go j.index.follow()
	go j.work()
	mux := http.NewServeMux()
	wire.Handle(mux, "/search", j.index.search)
	wire.Handle(mux, "/export", j.export)
	wire.Handle(mux, "/fetch", j.fetch)
	wire.Handle(mux, "/state", j.report)
	log.Fatal(http.ListenAndServe(*listen, mux))
}

// open reads what an earlier process has left.
func (j *jobs) open() (err error) {
	if err := journal.Load(indexFile, &j.index.state); err != nil {
		return err
	}
	if err := os.MkdirAll(exportDir, 0o700); err != nil {
		return err
	}
	j.log, err = journal.Open("/jobs", j.apply)
	j.resumed = j.last
	return err
}

func (j *jobs) apply(r job) {
	if r.Done {
		j.pending = j.pending[1:]
		return
	}
	j.pending = append(j.pending, r)
	j.last = r.Number
}

// fileOf is where an export goes. Each tenant has a folder.
func (j *jobs) fileOf(e export) string {
	if j.bug == bugExportName {
		return filepath.Join(exportDir, url.PathEscape(e.Tenant+"-"+e.Name)+".json")
	}
	return filepath.Join(exportDir, url.PathEscape(e.Tenant), url.PathEscape(e.Name)+".json")
}

// export names an export of all of a tenant's documents.
type export struct{ Tenant, Name string }

// export accepts a job.
func (j *jobs) export(e export) (struct{}, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.caller = e.Tenant
	r := job{Number: j.last + 1, Tenant: e.Tenant, Name: e.Name, File: j.fileOf(e)}
	if err := j.log.Append(r); err != nil {
		log.Fatal(err)
	}
	j.apply(r)
	return struct{}{}, nil
}

// work does the jobs, for ever. One that fails is tried again.
func (j *jobs) work() {
	for {
		r, tenant, some := j.next()
		if !some {
			time.Sleep(jobsIdle)
			continue
		}
		if err := j.run(r, tenant); err != nil {
			log.Printf("export %s of %s: %v", r.Name, r.Tenant, err)
			time.Sleep(jobsIdle)
			continue
		}
		j.done(r)
	}
}

// next returns the job to do and the tenant on whose behalf it is done.
func (j *jobs) next() (r job, tenant string, some bool) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if len(j.pending) == 0 {
		return r, "", false
	}
	r = j.pending[0]
	if j.bug == bugJobContext && r.Number <= j.resumed {
		return r, j.caller, j.caller != "" // the context is that of the request at hand
	}
	return r, r.Tenant, true
}

func (j *jobs) done(r job) {
	j.mu.Lock()
	defer j.mu.Unlock()
	r.Done = true
	if err := j.log.Append(r); err != nil {
		log.Fatal(err)
	}
	j.apply(r)
}

// run writes a tenant's documents into the job's file.
func (j *jobs) run(r job, tenant string) error {
	list, err := wire.Call[[]change](j.store, "/list", tenant, backendTimeout)
	if err != nil {
		return err
	}
	bodies := map[string]string{}
	for _, c := range list {
		time.Sleep(exportStep)
		doc, err := wire.Call[change](j.store, "/read", query{Tenant: c.Tenant, ID: c.ID}, backendTimeout)
		if err != nil {
			return err
		}
		if !doc.Deleted {
			bodies[doc.ID] = doc.Body
		}
	}
	dir := filepath.Dir(r.File)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	if err := journal.SyncDir(exportDir); err != nil {
		return err
	}
	return journal.Replace(r.File, bodies)
}

// fetched is an export's file, if it is there.
type fetched struct {
	Found bool
	Data  json.RawMessage `json:",omitempty"`
}

func (j *jobs) fetch(e export) (fetched, error) {
	j.mu.Lock()
	j.caller = e.Tenant
	j.mu.Unlock()
	data, err := os.ReadFile(j.fileOf(e))
	if errors.Is(err, fs.ErrNotExist) {
		return fetched{}, nil
	}
	return fetched{err == nil, data}, err
}

// Backlog is what is left to do in the background.
type Backlog struct {
	Jobs   int // exports
	Behind int // changes that the index has not seen
}

func (j *jobs) report(struct{}) (Backlog, error) {
	head, err := wire.Call[feed](j.store, "/changes", 1<<30, backendTimeout)
	j.mu.Lock()
	defer j.mu.Unlock()
	j.index.mu.Lock()
	defer j.index.mu.Unlock()
	return Backlog{len(j.pending), head.Head - j.index.state.Changes}, err
}
