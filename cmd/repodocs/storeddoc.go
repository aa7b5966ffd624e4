// Conclusions and tables of documents are written from stored runs, and tests check that they are
// still true.
//
// A document concludes by a named rule of a study: the comment claim: STUDY.RULE stands behind the
// sentence. Evaluate judges the rules of a folder of results, and docs/claims.csv keeps the
// outcomes, from which docs/claims.md is written. An outcome holds for as long as the rule, the
// points of the study that it selects, and what the study's golden file says of its metric are the
// same: Digests. A Repository finds sentences whose rule is missing, stale or failed, and tables of
// numbers that no stored run and no tested block gives.

package main
