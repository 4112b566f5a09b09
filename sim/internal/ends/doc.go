// Package ends holds scenarios that end badly on purpose, one for each way, and
// tests that the engine says so.
package ends
