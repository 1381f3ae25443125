/** What the model says of a keyword in place of what it wrote. */
export interface KeywordEvidence {
  /** Log-probability of the keyword's tokens after the text before it. */
  logProbability: number
  /** Log-probability that a word ends after it: that of the most probable token that begins another. */
  endLogProbability: number
  /** Log-probability of the tokens that the model wrote there. */
  heardLogProbability: number
  /** The number of these tokens, at least 1. */
  heardTokens: number
  /** Mean log-probability of all tokens of the window: a model that is rarely sure is often wrong. */
  meanLogProbability: number
  /** Of the keyword. */
  letters: number
  /** How differently it sounds from what the model wrote, as a share of its letters. */
  distance: number
}

/** Of a logistic regression over words that people said and words that sound alike: docs/decisions/nearly-heard.md. */
const weights = {
  bias: 4,
  perLetter: 2.53,
  end: 0.19,
  heard: -0.56,
  heardPerToken: 0.66,
  mean: -2.47,
  logLetters: -0.53,
  distance: -8.71,
}

/** Returns the probability that a keyword was said, 0 to 1. */
export function keywordProbability(evidence: KeywordEvidence): number {
  const { logProbability, endLogProbability, heardLogProbability, letters, distance } = evidence
  const sum =
    weights.bias +
    (weights.perLetter * logProbability) / letters +
    weights.end * endLogProbability +
    weights.heard * heardLogProbability +
    (weights.heardPerToken * heardLogProbability) / evidence.heardTokens +
    weights.mean * evidence.meanLogProbability +
    weights.logLetters * Math.log(letters) +
    weights.distance * distance
  return 1 / (1 + Math.exp(-sum))
}
