package main

import (
	"context"
	"fmt"

	"github.com/orrery-sim/orrery/sim/run"
	"github.com/spf13/cobra"
)

func (a *app) gorootCommand() *cobra.Command {
	key := false
	c := &cobra.Command{
		Use:   "goroot",
		Short: "print the patched GOROOT, made if need be",
		Long: `Print the folder of the patched copy of the Go that is in use here. It is made
once, in ORRERY_CACHE or the user's cache folder.`,
		Example: `  GOROOT=$(orrery goroot) GOTOOLCHAIN=local go test -tags netgo,osusergo ./...
  dlv test ./kv   # with the same environment`,
		Args: cobra.NoArgs,
		RunE: command(func(ctx context.Context, _ []string) error {
			root, err := run.Toolchain(ctx, ".")
			if err != nil {
				return err
			}
			if key {
				fmt.Fprintf(a.stdout, "%s-%s\n", root.GoVersion, root.Key)
				return nil
			}
			fmt.Fprintln(a.stdout, root.Dir)
			return nil
		}).run,
	}
	c.Flags().BoolVar(&key, "cache-key", false, "print a key for the cache of a CI system instead")
	return c
}
