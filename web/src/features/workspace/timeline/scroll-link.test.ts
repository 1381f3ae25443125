import { expect, test } from 'vitest'
import { createScrollLink, type LinkedList, type Place } from './scroll-link.ts'

/** A list that remembers where it is and, like a browser's, tells the link of every move a moment later. */
function makeList(place: Place = { start: 0, past: 0 }): LinkedList & { at: Place; shown: number } {
  return {
    at: place,
    shown: 0,
    place() {
      return this.at
    },
    show(wanted) {
      this.at = wanted
      this.shown += 1
    },
  }
}

function linkTwo() {
  const clock = { time: 0 }
  const link = createScrollLink(() => clock.time)
  const [left, right] = [makeList(), makeList()]
  link.join(left)
  link.join(right)
  return { link, left, right, clock }
}

test('a list that is scrolled takes the others along, and their echo does not move it', () => {
  const { link, left, right, clock } = linkTwo()
  left.at = { start: 12, past: 0.5 }
  link.moved(left)
  expect(right.at).toEqual({ start: 12, past: 0.5 })
  clock.time += 16
  link.moved(right)
  expect(left.shown).toBe(0)
})

test('the other list leads once the first has come to rest', () => {
  const { link, left, right, clock } = linkTwo()
  link.moved(left)
  clock.time += 1000
  right.at = { start: 40, past: 0 }
  link.moved(right)
  expect(left.at).toEqual({ start: 40, past: 0 })
})

test('a list that comes later begins where the others are, and one that has left is left alone', () => {
  const link = createScrollLink(() => 0)
  const [left, right] = [makeList({ start: 7, past: 0.25 }), makeList()]
  link.join(left)
  const leave = link.join(right)
  expect(right.at).toEqual({ start: 7, past: 0.25 })
  leave()
  left.at = { start: 90, past: 0 }
  link.moved(left)
  expect(right.at).toEqual({ start: 7, past: 0.25 })
})
