package tenant

import "sync"

// cacheKey is what a document is cached by.
type cacheKey struct{ tenant, id string }

// cache keeps documents as they were read last. It is asked together with the store, which
// tells the version that counts: what is old is never shown.
type cache struct {
	bug  string
	mu   sync.Mutex
	docs map[cacheKey]change
}

func newCache(bug string) *cache { return &cache{bug: bug, docs: map[cacheKey]change{}} }

func (c *cache) key(tenant, id string) cacheKey {
	if c.bug == bugCacheKey {
		tenant = ""
	}
	return cacheKey{tenant, id}
}

func (c *cache) get(tenant, id string) change {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.docs[c.key(tenant, id)]
}

func (c *cache) put(tenant, id string, doc change) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.docs[c.key(tenant, id)] = doc
}
