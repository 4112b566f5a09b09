package run

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestSeeds(t *testing.T) {
	s, err := ParseSeeds("1,7,10-12")
	if err != nil {
		t.Fatal(err)
	}
	var got []uint64
	for i := range s.Len() {
		got = append(got, s.At(i))
	}
	if want := []uint64{1, 7, 10, 11, 12}; len(got) != len(want) || got[0] != 1 || got[2] != 10 || got[4] != 12 {
		t.Errorf("got %v, want %v", got, want)
	}
	for text, column := range map[string]string{"": "column 1", "1,x": "column 3", "5-2": "column 1", "1,2-": "column 3", "-1": "column 1"} {
		if _, err := ParseSeeds(text); err == nil || !strings.Contains(err.Error(), column) {
			t.Errorf("ParseSeeds(%q): got %v, want an error at %s", text, err, column)
		}
	}
}

// Shards of seeds are the seeds: each of them once.
func TestShards(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, err := ParseSeeds("3,10-40,100-160")
		if err != nil {
			t.Fatal(err)
		}
		n := rapid.Uint64Range(1, 200).Draw(t, "n")
		seen := map[uint64]int{}
		for i := uint64(1); i <= n; i++ {
			shard, err := s.Shard(i, n)
			if err != nil {
				t.Fatal(err)
			}
			for j := range shard.Len() {
				seen[shard.At(j)]++
			}
		}
		for i := range s.Len() {
			if seen[s.At(i)] != 1 {
				t.Fatalf("seed %d is in %d of %d shards", s.At(i), seen[s.At(i)], n)
			}
			delete(seen, s.At(i))
		}
		if len(seen) != 0 {
			t.Fatalf("shards have other seeds: %v", seen)
		}
	})
}

func TestVerifiedShare(t *testing.T) {
	for _, share := range []float64{0, 0.05, 0.5, 1} {
		n := 0
		for seed := range uint64(10_000) {
			if verified(seed, share) {
				n++
			}
		}
		if got := float64(n) / 10_000; got < share-0.02 || got > share+0.02 {
			t.Errorf("a share of %v of the seeds is %v of them", share, got)
		}
	}
}
