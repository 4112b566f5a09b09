package nats

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing/fstest"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/orrery-sim/orrery/sim"
)

// program is what the main function of nats-server does with a configuration file.
var program = sim.NewProgram("nats-server", func() {
	opts, err := server.ConfigureOptions(flag.NewFlagSet("nats-server", flag.ExitOnError), os.Args[1:], nil, nil, nil)
	if err != nil {
		server.PrintAndDie(err.Error())
	}
	s, err := server.NewServer(opts)
	if err != nil {
		server.PrintAndDie(err.Error())
	}
	s.ConfigureLogger()
	if err := server.Run(s); err != nil {
		server.PrintAndDie(err.Error())
	}
	s.WaitForShutdown()
})

const configFile = "etc/nats.conf"

// start starts a server on every node. They sync after each write, or not.
func start(w *sim.World, nodes []*sim.Node) {
	var routes []string
	for _, n := range nodes {
		routes = append(routes, fmt.Sprintf("nats://%s:6222", n.Addr()))
	}
	sync := ""
	if w.Param("sync") == "always" {
		sync = "sync_interval: always"
	}
	for _, n := range nodes {
		config := fmt.Sprintf(`
server_name: %[1]s
listen: "%[2]s:4222"
http: "%[2]s:8222"
jetstream { store_dir: /var/lib/nats, max_memory_store: 64MB, max_file_store: 1GB, %[3]s }
cluster { name: orrery, listen: "%[2]s:6222", routes: [%[4]s] }
`, n.Name(), n.Addr(), sync, strings.Join(routes, ", "))
		if err := n.Import(fstest.MapFS{configFile: {Data: []byte(config), Mode: 0o644}}); err != nil {
			w.T().Fatal(err)
		}
		n.Start(program, "-c", "/"+configFile)
	}
}
