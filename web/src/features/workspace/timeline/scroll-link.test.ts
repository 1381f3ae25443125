import { expect, test } from 'vitest'
import { createScrollLink, type LinkedList, type ScrollPosition } from './scroll-link.ts'

interface RecordingList extends LinkedList {
  position: ScrollPosition
  scrollCount: number
}

/** A list that stores its position; the tests call handleScroll where a browser would fire its scroll event. */
function makeList(position: ScrollPosition = { start: 0, past: 0 }): RecordingList {
  return {
    position,
    scrollCount: 0,
    readPosition() {
      return this.position
    },
    scrollTo(target) {
      this.position = target
      this.scrollCount += 1
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

test('scrolling a list scrolls the others, and their scroll events do not move it', () => {
  const { link, left, right, clock } = linkTwo()
  left.position = { start: 12, past: 0.5 }
  link.handleScroll(left)
  expect(right.position).toEqual({ start: 12, past: 0.5 })
  clock.time += 16
  link.handleScroll(right)
  expect(left.scrollCount).toBe(0)
})

test('the other list leads once the first has stopped scrolling', () => {
  const { link, left, right, clock } = linkTwo()
  link.handleScroll(left)
  clock.time += 1000
  right.position = { start: 40, past: 0 }
  link.handleScroll(right)
  expect(left.position).toEqual({ start: 40, past: 0 })
})

test('a list that joins later starts where the others are, and one that left is no longer scrolled', () => {
  const link = createScrollLink(() => 0)
  const [left, right] = [makeList({ start: 7, past: 0.25 }), makeList()]
  link.join(left)
  const leave = link.join(right)
  expect(right.position).toEqual({ start: 7, past: 0.25 })
  leave()
  left.position = { start: 90, past: 0 }
  link.handleScroll(left)
  expect(right.position).toEqual({ start: 7, past: 0.25 })
})
