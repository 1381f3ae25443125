/** Translates one line again, or all that failed. */
export type RetryLines = (line?: { start: number; end: number }) => void
