// Package oracle decides whether what clients saw was right.
//
// A History records every call of every client. A Checker is a function of such
// data: it knows neither the world that made the history nor the system under
// test, so it judges a simulated run, a real one and somebody else's file alike.
//
// Its answer has four values: OK, Violation with the smallest evidence that was
// found, Unknown with the reason, and Vacuous when there was nothing to judge.
// A checker's budget is counted in steps of its model, never in time: one
// history has one outcome, byte for byte.
package oracle
