/** How far below the threshold a voice ends: Silero's own hysteresis. */
const hysteresis = 0.15

/**
 * Classifies windows by their probabilities of a voice, one after the other, as sherpa-onnx's detector does with the shortest durations: a voice
 * starts with the second window above the threshold and ends with the second one that is below it by more than 0.15, or is below it at all
 * after that.
 */
export class VoiceState {
  readonly #threshold: number
  #wasAbove = false
  #isVoice = false
  #wasBelow = false

  constructor(threshold: number) {
    this.#threshold = threshold
  }

  /** Adds the next window; returns whether it is voiced. */
  add(probability: number): boolean {
    if (probability > this.#threshold) {
      this.#wasBelow = false
      if (!this.#wasAbove) {
        this.#wasAbove = true
        return false
      }
      this.#isVoice = true
      return true
    }
    if (!this.#isVoice) {
      this.#wasAbove = false
      return false
    }
    if (probability > this.#threshold - hysteresis) return true
    if (!this.#wasBelow) {
      this.#wasBelow = true
      return true
    }
    this.reset()
    return false
  }

  reset(): void {
    this.#wasAbove = false
    this.#isVoice = false
    this.#wasBelow = false
  }
}
