import { expect, it } from 'vitest'
import { noKeywords } from '#contract/keywords/keywords.ts'
import { mergeKeywords } from './merge-keywords.ts'

const lists = (threats: string[], sounds_like: string[] = []) => ({ ...noKeywords(), threats, sounds_like })

it('keeps what either side added and drops what either removed', () => {
  const merged = mergeKeywords({
    base: lists(['gun', 'knife', 'bomb'], ['gun']),
    local: lists(['gun', 'bomb', 'here'], []),
    server: lists(['gun', 'knife', 'there'], ['gun', 'there']),
  })
  expect(merged).toEqual(lists(['gun', 'there', 'here'], ['there']))
})

it('has a keyword once that both sides added', () => {
  expect(mergeKeywords({ base: lists([]), local: lists(['gun']), server: lists(['gun']) })).toEqual(lists(['gun']))
})
