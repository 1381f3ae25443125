import { expect, test } from 'vitest'
import { dialogueTimeline } from './dialogue-timeline.ts'

test('a dialogue says who said what when; the only voice is Speaker A', () => {
  expect(
    dialogueTimeline([
      { start: 1, text: 'hello', speaker: 'Speaker B' },
      { start: 2, text: 'hi' },
    ]),
  ).toEqual([
    { speaker: 'Speaker B', timestamp: 1, text: 'hello' },
    { speaker: 'Speaker A', timestamp: 2, text: 'hi' },
  ])
  expect(dialogueTimeline([])).toEqual([])
})
