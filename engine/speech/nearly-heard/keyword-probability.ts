/** The model's evidence that a keyword was said instead of what it wrote. */
export interface KeywordEvidence {
  /** Log-probability of the keyword's tokens after the text before it. */
  logProbability: number
  /** Log-probability that the word ends after it: that of the most probable token that begins another word. */
  endLogProbability: number
  /** Log-probability of the tokens that the model wrote there. */
  heardLogProbability: number
  /** The number of these tokens, at least 1. */
  heardTokens: number
  /** Mean log-probability of all tokens in the window: a model that is rarely certain is often wrong. */
  meanLogProbability: number
  /** Number of letters in the keyword. */
  letters: number
  /** How differently it sounds from what the model wrote, as a share of its letters. */
  distance: number
}

/** Weights of a logistic regression over words that people said and words that sound alike: docs/decisions/nearly-heard.md. */
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
