//go:debug randseednop=0

package audit

import (
	"crypto/x509"
	"fmt"
	"math/rand"
	"mime"
	"net"
	"net/http"
	"net/rpc"
	"net/url"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/orrery-sim/orrery/sim"
)

// TestStandardLibraryIsOfTheProcess: what the standard library keeps in package data is
// of each node for itself.
func TestStandardLibraryIsOfTheProcess(t *testing.T) {
	sim.Test(t, func(w *sim.World) {
		nodes := w.Nodes("n", 2)
		for _, n := range nodes {
			n.Env("HTTP_PROXY=http://" + n.Name() + ":1")
			n.Start(owner)
		}
		w.Clients("c", 1)[0].Run(func() {
			time.Sleep(2 * time.Second)
			for i, n := range nodes {
				want := fmt.Sprintf("http://%s:1|text/%[1]s|%d|answered by %[1]s|5577006791947779410 8674665223082153551", n.Name(), 1001+i)
				if got := strings.Join(w.Log(n.Name()), "|"); got != want {
					t.Errorf("%s wrote %q, want %q", n.Name(), got, want)
				}
			}
		})
	})
}

// Who answers for the node that it was made by.
type Who struct{ name string }

func (s *Who) Name(_ int, out *string) error { *out = s.name; return nil }

var owner = sim.NewProgram("owner", func() {
	name, err := os.Hostname()
	must(err)
	rand.Seed(1)
	must(os.MkdirAll("/etc", 0o755))
	must(os.WriteFile("/etc/services", fmt.Appendf(nil, "audit 100%s/tcp\n", name[1:]), 0o644))
	must(mime.AddExtensionType(".audit", "text/"+name))
	must(rpc.Register(&Who{name}))
	x509.SetFallbackRoots(x509.NewCertPool()) // panics if it was called
	time.Sleep(time.Second)                   // the other node has done the same

	proxy, err := http.ProxyFromEnvironment(&http.Request{URL: &url.URL{Scheme: "http", Host: "example.com"}})
	must(err)
	fmt.Println(proxy)
	fmt.Println(mime.TypeByExtension(".audit")[:len("text/")+len(name)])
	port, err := net.LookupPort("tcp", "audit")
	must(err)
	fmt.Println(port)
	fmt.Println("answered by", asked())
	fmt.Println(rand.Int63(), rand.Int63())
})

// asked asks the default server of the caller's process.
func asked() (name string) {
	here, there := net.Pipe()
	go rpc.ServeConn(there)
	c := rpc.NewClient(here)
	defer c.Close()
	must(c.Call("Who.Name", 0, &name))
	return name
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}
