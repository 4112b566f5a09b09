package plan

import (
	"regexp"
	"slices"
	"strings"
)

// Recognised is what a scenario was made of.
type Recognised struct {
	Scenario   string // its id
	Line       int
	Text       string
	Workload   []string // words that name one
	Faults     []string // families
	Categories []Category
	Faultless  string // the words that say that there are no faults, "" if none do
}

// sense is a pattern and what it stands for.
type sense struct {
	means string
	words *regexp.Regexp
}

func senses(pairs ...string) []sense {
	var out []sense
	for i := 0; i < len(pairs); i += 2 {
		out = append(out, sense{pairs[i], regexp.MustCompile(`(?i)\b(?:` + pairs[i+1] + `)\b`)})
	}
	return out
}

// faultSenses are in an order in which what a pattern takes is no more there for
// those after it: a lying disk is not a slow one, a cut one way not a partition.
var faultSenses = senses(
	"lie-sync", `(?:lying|lost|ignored|fake) (?:f?syncs?|disks?)|(?:f?syncs?|disks?) (?:that )?(?:lies?|lie|are ignored|is ignored)`,
	"disk-full", `disks? (?:(?:is |are |gets? |runs? )?full|fills? up)|full disks?|enospc|out of (?:disk|space)|no space left`,
	"corruption", `bit[- ]?rot|bit[- ]?flips?|corrupt(?:s|ed|ion)?`,
	"slow-disk", `slow(?:er)?[- ](?:disks?|fsyncs?|io|i/o|storage)|(?:disks?|fsyncs?|io|i/o) (?:is |are |gets? )?(?:slow|stalls?|stalled|hangs?|latency)|(?:f?syncs?) takes?`,
	"skew", `clocks? (?:skews?|drifts?|jumps?|steps?)|skew(?:ed)? (?:the )?(?:wall )?clocks?|clocks? (?:is|are|runs?|goes?|going) (?:off|wrong|ahead|behind|fast|slow|back(?:wards)?)|ntp|time (?:jumps?|goes back(?:wards)?)|leap seconds?|jump(?:s|ing)? (?:the )?clocks?`,
	"cut", `(?:asymmetric(?:al)?|one[- ]way) (?:network )?(?:partitions?|cuts?|links?|failures?|splits?)|one[- ]way|(?:cut|cuts|sever|severs|severed) (?:the |a |one )?links?|links? (?:is |are )?(?:cut|down|severed)|black[- ]?holes?`,
	"partition", `partition(?:s|ed|ing)?|split[- ]?brain|net[- ]?splits?|network splits?|isolat(?:e|es|ed|ing)|cut(?:s|ting)? off|unreachable`,
	"lose", `packet loss|lossy|(?:drop|drops|dropped|dropping|lose|loses|losing) (?:some |many |\d+ ?% (?:of )?(?:the )?)?(?:packets?|messages?|segments?)|(?:packets?|messages) (?:are |get )?dropped|flaky (?:network|links?)`,
	"duplicate", `(?:duplicated?|duplicating) (?:packets?|messages?)`,
	"delay", `(?:network|link|added|injected|extra) (?:latency|delays?)|latency spikes?|slow (?:network|links?)|(?:network|links?) (?:is |are )?slow(?:er)?|delay(?:s|ed|ing)? (?:of |the |some )?(?:packets?|messages?|links?|replication|heartbeats?|acks?)|delay(?:s|ed)?|jitter|high rtt`,
	"pause", `paus(?:e|es|ed|ing)|sigstop|freez(?:e|es|ing)|frozen|stop[- ]the[- ]world|stall(?:s|ed|ing)?|vm migrations?|cpu starv(?:ed|ation)`,
	"drain", `rolling (?:restarts?|upgrades?|deploy(?:s|ment)?|updates?)|graceful(?:ly)? (?:shut(?:s|ting)? ?down|stops?|restarts?|shutdowns?)|sigterm|drain(?:s|ed|ing)?|redeploy(?:s|ed)?`,
	"kill", `process(?:es)? (?:dies|die)`,
	"crash", `crash(?:es|ed|ing)?|power (?:loss|cuts?|failures?|outages?|cycles?)|power[- ]cycl(?:e|es|ing)|los(?:e|es|ing) power|unplug(?:s|ged)?|reboot(?:s|ed|ing)?|\w+ (?:dies|die|outages?|goes down)|(?:node|host|machine|server|leader|follower|replica|broker|quorum)s? (?:fails?|failures?|loss|down)`,
	"kill", `kill(?:s|ed|ing)?|sigkill|oom(?:[- ]?kill(?:s|ed)?)?|restart(?:s|ed|ing)?|fail[- ]?overs?|bounc(?:e|es|ing)`,
)

var categorySenses = senses(
	string(Fairness), `fair(?:ness|ly)?|starv(?:e|es|ed|ation|ing)|noisy neighbou?rs?|greedy|hogs?`,
	string(Boundary), `tenants?|cross[- ]tenant|permissions?|denied|unauthori[sz]ed|access control|acls?`,
	string(Idempotency), `idempoten(?:t|ce|cy)|exactly[- ]once|at[- ]most[- ]once|twice|dedup(?:lication|ed|e)?|double[- ](?:charg|appl|spend|process|count)\w*|duplicat(?:es?|ed|ion)`,
	string(Isolation), `serializab(?:le|ility)|isolation|lost updates?|write skew|dirty reads?|phantoms?|read committed|repeatable reads?`,
	string(Durability), `durab(?:le|ility|ly)|at[- ]least[- ]once|redeliver\w*|data loss|los(?:es?|t|ing|s of) (?:\w+ )?(?:writes?|data|messages?|acks?|entries|records?|commits?|jobs?|orders?)|(?:is|are|be|gets?|ever|never|not|been) lost|ack(?:ed|nowledged)(?: \w+)? (?:writes?|messages?|data|entries|records?|commits?|jobs?|puts?)|surviv(?:e|es|ed|al)|persist(?:s|ed|ence|ent)?|committed \w+|(?:is|are|still) there`,
	string(Ordering), `orderings?|in (?:the (?:same|right) |commit |fifo )?order|out of order|reorder(?:s|ed|ing)?|monotonic(?:ally)?|fifo|causal(?:ity|ly)?|no gaps?|total order`,
	string(Membership), `memberships?|members|rebalanc\w+|(?:add|adds|adding|remov(?:e|es|ing)|replac(?:e|es|ing)) (?:a |one |the )?(?:node|nodes|member|replica|server|voter)s?|joins?|scal(?:e|es|ing) (?:up|down|out|in)|reconfigur\w+`,
	string(Performance), `p50|p9[059]\w*|p999|percentiles?|throughput|tail latenc(?:y|ies)|latenc(?:y|ies)|slos?|slas?`,
	string(Operational), `upgrad(?:e|es|ed|ing)|roll(?:s|ed)?[- ]?backs?|alerts?|backups?|soak|leaks?|memory (?:growth|usage|stays)|disk usage`,
	string(Liveness), `recover(?:s|ed|y|ing)?|(?:may|must not|never|should not) fails?|no (?:errors?|downtime)|eventually|availab(?:le|ility)|progress|within \d+ ?(?:ms|s|secs?|seconds?|m|mins?|minutes?)|stuck|deadlocks?|livelocks?|re-?elect(?:s|ed|ion)?|new leader|catch(?:es)? up|converges?`,
	string(Safety), `lineari[sz]ab(?:le|ility)|consisten(?:t|cy|tly)|stale(?: reads?| values?| data)?|invariants?|overlap(?:s|ped|ping)?|refus(?:e|es|ed)|reject(?:s|ed)?|agrees?|(?:two|both|second|more than one|single|one|at most one) (?:leaders?|primar(?:y|ies)|owners?|holders?)|mutual exclusion|diverg(?:e|es|ed|ence)|balance|(?:sum|total)s? (?:is|are|stays?|never|remains?)|read[- ]your[- ]writes|safe(?:ty)?`,
)

var workloadWords = senses("", `writ(?:e|es|er|ers|ing)|puts?|reads?|reader|readers|reading|gets?|clients?|load|traffic|requests?|transfers?|transferring|enqueu\w+|dequeu\w+|publish\w*|produc(?:e|es|er|ers|ing)|consum(?:e|es|er|ers|ing)|inserts?|inserting|updates?|updating|deletes?|deleting|appends?|appending|increments?|incrementing|cas|compare[- ]and[- ]swap|transactions?|txns?|workloads?|ops|rps|qps|msgs?|messages|acquir(?:e|es|ing)|locks?|leases?|queries|scans?|uploads?|batch(?:es)?|sagas?|checkouts?|payments?|subscrib\w+|watch(?:es|ers?)?`)

var (
	faultlessWords = regexp.MustCompile(`(?i)\b(?:(?:no|without|zero) (?:any )?(?:faults?|failures?|nemesis)|fault[- ]free|happy path|baseline)\b`)

	// chores are what people are asked to do, whatever words they are about.
	chores = regexp.MustCompile(`(?i)^(?:@?\w+: )?(?:(?:action|ai)\b[: ]|todo\b|ask\b|tell\b|email\b|ping\b|talk\b|schedule\b|book\b|buy\b|review\b|assign\b|remind\b|document\b|decide\b|discuss\b|find out\b|figure out\b|follow up\b|look (?:at|into)\b|who\b|file (?:a|an)\b|open (?:a|an) (?:ticket|issue|pr)\b|(?:write|update|read) (?:up|down|the (?:docs?|wiki|tickets?|report|readme|paper|runbook|minutes|page)|a (?:doc|report|ticket|page|summary)|docs?)\b|@?\w+ (?:to|will) (?:ask|write|update|check|send|look|book|set up|own|file|document|review)\b)`)

	// aside are words that do not name what they seem to.
	aside = regexp.MustCompile(`(?i)\bin order to\b|\b(?:instead of|rather than) (?:being )?\w+`)

	// lost things are properties, not what clients do.
	lostThings = regexp.MustCompile(`(?i)\b(?:lost|stale|dirty|repeatable) \w+`)
)

// recognise looks for what a text names.
func recognise(text string) Recognised {
	r := Recognised{Text: text}
	rest := aside.ReplaceAllString(text, " ")
	if m := faultlessWords.FindString(rest); m != "" {
		r.Faultless = strings.ToLower(m)
		rest = faultlessWords.ReplaceAllString(rest, " ")
	}
	for _, c := range categorySenses {
		if c.words.MatchString(rest) {
			r.Categories = append(r.Categories, Category(c.means))
		}
	}
	r.Categories = ordered(r.Categories)
	for _, w := range workloadWords[0].words.FindAllString(lostThings.ReplaceAllString(rest, " "), -1) {
		if w = strings.ToLower(w); !slices.Contains(r.Workload, w) {
			r.Workload = append(r.Workload, w)
		}
	}
	for _, f := range faultSenses {
		if f.words.MatchString(rest) {
			r.Faults = union(r.Faults, []string{f.means})
			rest = f.words.ReplaceAllString(rest, " ")
		}
	}
	return r
}

// names says whether a text names a workload, a fault or a property.
func (r Recognised) names() bool {
	return len(r.Workload)+len(r.Faults)+len(r.Categories) > 0 || r.Faultless != ""
}

// with returns what two texts name together.
func (r Recognised) with(other Recognised) Recognised {
	r.Text += "; " + other.Text
	r.Workload = union(r.Workload, other.Workload)
	r.Faults = union(r.Faults, other.Faults)
	r.Categories = ordered(union(r.Categories, other.Categories))
	if r.Faultless == "" {
		r.Faultless = other.Faultless
	}
	return r
}

// ordered sorts categories as they are listed everywhere.
func ordered(categories []Category) []Category {
	all := Category("").words()
	slices.SortFunc(categories, func(a, b Category) int {
		return slices.Index(all, string(a)) - slices.Index(all, string(b))
	})
	return categories
}

func union[T comparable](a, b []T) []T {
	out := slices.Clone(a)
	for _, x := range b {
		if !slices.Contains(out, x) {
			out = append(out, x)
		}
	}
	return out
}
