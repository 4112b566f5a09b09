// Package bbolt runs an unmodified bbolt alone under crashes: what it has
// committed must be there when it opens again, and its pages must be sound.
package bbolt

import (
	"encoding/binary"
	"fmt"
	"log"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/orrery-sim/orrery/scenarios/internal/ledger"
	"github.com/orrery-sim/orrery/sim"
	"github.com/orrery-sim/orrery/sim/outcome"
	bolt "go.etcd.io/bbolt"
)

const (
	path   = "/var/lib/app.db"
	acked  = "committed "
	opened = "opened at "
)

var bucket = []byte("b")

// program commits transactions for ever. Each says what it committed once bbolt
// has acknowledged it. Transaction n writes n under many keys: all of them hold
// one number, or a transaction was torn.
var program = sim.NewProgram("app", func() {
	log.SetFlags(0)
	db, err := bolt.Open(path, 0o600, &bolt.Options{NoSync: os.Getenv("NOSYNC") != "", Timeout: time.Second})
	if err != nil {
		log.Fatalf("open: %v", err)
	}
	last := check(db)
	fmt.Println(opened + strconv.FormatUint(last, 10))
	for n := last + 1; ; n++ {
		if err := db.Update(func(tx *bolt.Tx) error { return write(tx, n) }); err != nil {
			log.Fatalf("commit: %v", err)
		}
		fmt.Println(acked + strconv.FormatUint(n, 10))
		time.Sleep(5 * time.Millisecond)
	}
})

func write(tx *bolt.Tx, n uint64) error {
	b, err := tx.CreateBucketIfNotExists(bucket)
	if err != nil {
		return err
	}
	value := binary.BigEndian.AppendUint64(nil, n)
	for i := range 20 {
		key := fmt.Appendf(nil, "k%d", i)
		if err := b.Put(key, append(value, make([]byte, int(n)%500)...)); err != nil {
			return err
		}
	}
	if n%7 == 0 {
		return b.Put(fmt.Appendf(nil, "page%d", n%70), make([]byte, 5000))
	}
	return nil
}

// check returns the number of the last transaction, once bbolt's own check and
// ours have found nothing.
func check(db *bolt.DB) (last uint64) {
	err := db.View(func(tx *bolt.Tx) error {
		for err := range tx.Check() {
			return err
		}
		b := tx.Bucket(bucket)
		if b == nil {
			return nil
		}
		for i := range 20 {
			n := binary.BigEndian.Uint64(b.Get(fmt.Appendf(nil, "k%d", i)))
			if i > 0 && n != last {
				return fmt.Errorf("key k%d is of transaction %d, k0 of %d", i, n, last)
			}
			last = n
		}
		return nil
	})
	if err != nil {
		log.Fatalf("check: %v", err)
	}
	return last
}

func TestBolt(t *testing.T) {
	sim.Test(t, func(w *sim.World) {
		n := w.Node("n1")
		if w.Param("sync") == "off" {
			n.Env("NOSYNC=1")
		}
		n.Start(program)
		w.SafetyFor(10 * time.Second)
		w.Faults(sim.Swarm(sim.Crashes(), sim.Kills(), sim.SlowDisks()))
		ledger.Reopens(w, n, opened, 10*time.Second)
		w.Check(outcome.Func("durability", func() outcome.Outcome { return durable(w.Log("n1")) }))
	}, sim.Param("sync", "on", "off"))
}

// durable checks that every start of the program found what was acknowledged
// before it.
func durable(lines []string) outcome.Outcome {
	var last uint64
	opens := 0
	for _, line := range lines {
		if n, ok := number(line, acked); ok {
			last = n
		}
		if n, ok := number(line, opened); ok {
			opens++
			if n < last {
				return outcome.Outcome{Verdict: outcome.Violation, Message: fmt.Sprintf("transaction %d was acknowledged, but %d is the last after a restart", last, n), Node: "n1"}
			}
		}
	}
	if opens < 2 {
		return outcome.Outcome{Verdict: outcome.Vacuous, Reason: "the program never restarted"}
	}
	return outcome.Outcome{Verdict: outcome.OK}
}

func number(line, prefix string) (uint64, bool) {
	rest, ok := strings.CutPrefix(line, prefix)
	n, err := strconv.ParseUint(rest, 10, 64)
	return n, ok && err == nil
}
