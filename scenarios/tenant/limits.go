package tenant

import (
	"sync"
	"time"
)

const (
	limitRate  = 70.0 // requests a second, of one tenant
	limitBurst = 80.0 // of requests at once
)

// limits is how often tenants may ask: a bucket of tokens for each.
type limits struct {
	bug     string
	mu      sync.Mutex
	buckets map[string]*bucket
}

type bucket struct {
	tokens float64
	at     time.Time
}

func newLimits(bug string) *limits { return &limits{bug: bug, buckets: map[string]*bucket{}} }

// allow takes a token, if there is one.
func (l *limits) allow(tenant string, now time.Time) bool {
	if l.bug == bugLimiterGlobal {
		tenant = ""
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	b := l.buckets[tenant]
	if b == nil {
		b = &bucket{limitBurst, now}
		l.buckets[tenant] = b
	}
	b.tokens = min(limitBurst, b.tokens+limitRate*now.Sub(b.at).Seconds())
	b.at = now
	if b.tokens < 1 {
		return false
	}
	b.tokens--
	return true
}
