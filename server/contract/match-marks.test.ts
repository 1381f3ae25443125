import { describe, expect, it } from 'vitest'
import type { LineMark } from './line-marks.ts'
import { createMarkFinder } from './match-marks.ts'
import { isUncertainLine, reviewStateOf } from './review-state.ts'

const nadia = { id: 'a'.repeat(24), name: 'Nadia' }
const omid = { id: 'b'.repeat(24), name: 'Omid' }
const at = (minute: number) => `2026-11-01T10:${String(minute).padStart(2, '0')}:00.000Z`

function mark(start: number, end: number, text: string, part: Partial<LineMark> = {}): LineMark {
  return { start, end, text, verified: [{ by: nadia, at: at(1) }], doubt: null, ...part }
}

const line = (start: number, end: number, text: string, channel?: number) => {
  return { start, end, text, ...(channel !== undefined && { channel }) }
}

/** Returns who verified a line. */
function verifiedBy(marks: LineMark[], ...of: Parameters<typeof line>) {
  return createMarkFinder(marks)
    .find(line(...of))
    .verified.map(({ by }) => by.name)
}

describe('a verified line', () => {
  const bridge = mark(2, 4, 'Is the bridge open?', { channel: 0 })

  it('is so in another version that has its words at about that time', () => {
    expect(verifiedBy([bridge], 2.2, 4.1, 'is the bridge open', 0)).toEqual(['Nadia'])
    expect(verifiedBy([bridge], 2.2, 4.1, 'is the bridge open')).toEqual(['Nadia'])
  })

  it.each([
    ['other words', 2, 4, 'Is the bridge closed?', 0],
    ['one word more', 2, 4, 'Is the old bridge open?', 0],
    ['another time', 3.5, 6, 'Is the bridge open?', 0],
    ['another channel', 2, 4, 'Is the bridge open?', 1],
  ] as const)('is not with %s', (_name, start, end, text, channel) => {
    expect(verifiedBy([bridge], start, end, text, channel)).toEqual([])
  })

  it('stays so in its parts when it is split, and as a whole when it is joined with another verified one', () => {
    const rest = mark(4, 5, 'It is.', { channel: 0 })
    expect(verifiedBy([bridge], 2, 3, 'Is the', 0)).toEqual(['Nadia'])
    expect(verifiedBy([bridge, rest], 2, 5, 'Is the bridge open? It is.', 0)).toEqual(['Nadia'])
    expect(verifiedBy([bridge], 2, 5, 'Is the bridge open? It is.', 0)).toEqual([])
  })

  it('names each person once, the first to verify it first, and nobody for what two people did one half of each', () => {
    const both = { ...bridge, verified: [{ by: omid, at: at(5) }, ...bridge.verified] }
    expect(verifiedBy([both, bridge], 2, 4, 'Is the bridge open?', 0)).toEqual(['Nadia', 'Omid'])
    const half = mark(4, 5, 'It is.', { verified: [{ by: omid, at: at(2) }] })
    expect(verifiedBy([bridge, half], 2, 5, 'Is the bridge open? It is.')).toEqual([])
  })

  it('is not by the words of the line beside it', () => {
    const [before, own] = [mark(0, 2, 'Yes.'), mark(2, 4, 'No.')]
    expect(verifiedBy([before, own], 2, 4, 'Yes.')).toEqual([])
    expect(verifiedBy([before, own], 2, 4, 'No.')).toEqual(['Nadia'])
  })

  it('is found among thousands of others quickly', () => {
    const marks = Array.from({ length: 5000 }, (_, index) => mark(index * 2, index * 2 + 2, `line number ${index}`))
    const begin = performance.now()
    const { find } = createMarkFinder(marks)
    for (const { verified: _, doubt: __, ...each } of marks) expect(find(each).verified).toHaveLength(1)
    expect(performance.now() - begin).toBeLessThan(2000)
  })
})

describe('doubt', () => {
  const unsure = { text: 'the bridge', confidence: 0.1 }
  const doubt = (isUncertain: boolean, minute: number) => ({
    is_uncertain: isUncertain,
    reason: '',
    by: omid,
    at: at(minute),
  })
  const said = (part: Partial<LineMark>, text = 'the bridge') =>
    createMarkFinder([mark(2, 4, 'the bridge', part)]).find(line(2, 4, text))

  it('is the model’s until somebody verifies the line or says otherwise', () => {
    expect(isUncertainLine(unsure, said({ verified: [] }))).toBe(true)
    expect(isUncertainLine(unsure, said({}))).toBe(false)
    expect(isUncertainLine(unsure, said({ verified: [], doubt: doubt(false, 1) }))).toBe(false)
    expect(isUncertainLine({ confidence: 0.9 }, said({ verified: [], doubt: doubt(true, 1) }))).toBe(true)
  })

  it('and verification follow what was said last', () => {
    expect(isUncertainLine(unsure, said({ doubt: doubt(true, 2) }))).toBe(true)
    expect(isUncertainLine(unsure, said({ doubt: doubt(true, 0) }))).toBe(false)
  })

  it('of a part is doubt of a joined line; certainty of a part is not', () => {
    expect(said({ doubt: doubt(true, 2) }, 'the bridge is open').doubt).toMatchObject({ is_uncertain: true })
    expect(said({ doubt: doubt(false, 2) }, 'the bridge is open').doubt).toBeNull()
  })

  it('ends when the words are corrected', () => {
    expect(said({ doubt: doubt(true, 2) }, 'the ridge').doubt).toBeNull()
  })
})

it('the state of a line is the most that was done with it', () => {
  const verified = [{ by: nadia, at: at(1) }]
  expect(reviewStateOf({ isHeard: false, isEdited: false, verified: [] })).toBe('new')
  expect(reviewStateOf({ isHeard: true, isEdited: false, verified: [] })).toBe('heard')
  expect(reviewStateOf({ isHeard: true, isEdited: true, verified: [] })).toBe('corrected')
  expect(reviewStateOf({ isHeard: false, isEdited: true, verified })).toBe('verified')
})
