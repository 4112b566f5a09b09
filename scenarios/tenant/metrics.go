package tenant

import (
	"fmt"
	"strings"
	"sync"
)

// count names a counter of a tenant.
type count struct{ name, tenant string }

// metrics counts what tenants did. Each sees its own counters alone.
type metrics struct {
	mu     sync.Mutex
	counts map[count]int
}

func (m *metrics) add(name, tenant string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.counts[count{name, tenant}]++
}

// text shows a tenant's counters.
func (m *metrics) text(tenant string) string {
	m.mu.Lock()
	defer m.mu.Unlock()
	var b strings.Builder
	for _, name := range []string{"limited_total", "requests_total"} {
		fmt.Fprintf(&b, "%s{tenant=%q} %d\n", name, tenant, m.counts[count{name, tenant}])
	}
	return b.String()
}
