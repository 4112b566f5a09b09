package tenant

// Planted bugs.
const (
	bugCacheKey       = "cache-key"
	bugListPrefix     = "list-prefix"
	bugForbidden      = "forbidden"
	bugLateCheck      = "late-check"
	bugSearchFallback = "search-fallback"
	bugSearchTotal    = "search-total"
	bugExportName     = "export-name"
	bugJobContext     = "job-context"
	bugMetricsNames   = "metrics-names"
	bugLimiterGlobal  = "limiter-global"
	bugFIFO           = "fifo"
	bugFirstLane      = "first-lane"
	bugPutUnsynced    = "put-unsynced"
	bugVersionReset   = "version-reset"
)
