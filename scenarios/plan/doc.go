// Package plan holds test plans as data: reading them from Markdown and YAML,
// checking them, taking scenarios out of free text, and writing them. It knows no
// worlds and runs nothing.
//
// Every field of a plan is written. One that has nothing to say gives the reason,
// as "none, because WHY"; silence is an error, which [Plan.Check] reports.
package plan
