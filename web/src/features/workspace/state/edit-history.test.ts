import { describe, expect, it } from 'vitest'
import { EditHistory, type EditStep } from './edit-history.ts'

/** A value whose changes can be undone as long as no one else changes it. */
function createField(history: EditHistory) {
  const field = { value: '' }
  function change(next: string, session?: string) {
    const before = field.value
    const step: EditStep = {
      kind: 'lines',
      label: `to ${next}`,
      undo: () => (field.value = before),
      redo: () => (field.value = next),
      canUndo: () => field.value === next,
      canRedo: () => field.value === before,
      ...(session !== undefined && { session }),
    }
    history.record(step)
    field.value = next
  }
  return { field, change }
}

describe('the history', () => {
  it('undoes and redoes in order, and names what it would do', () => {
    const history = new EditHistory()
    const { field, change } = createField(history)
    change('a')
    change('b')
    history.undo()
    expect(field.value).toBe('a')
    expect([history.lastDone?.label, history.lastUndone?.label]).toEqual(['to a', 'to b'])
    history.undo()
    expect(field.value).toBe('')
    expect(history.lastDone).toBeUndefined()
    history.redo()
    history.redo()
    expect(field.value).toBe('b')
    expect(history.lastUndone).toBeUndefined()
  })

  it('forgets what was undone once something else is done', () => {
    const history = new EditHistory()
    const { change } = createField(history)
    change('a')
    history.undo()
    change('b')
    expect(history.lastUndone).toBeUndefined()
  })

  it('takes the steps of one session back together', () => {
    const history = new EditHistory()
    const { field, change } = createField(history)
    change('start')
    change('typed', 'editor 1')
    change('typed more', 'editor 1')
    history.undo()
    expect(field.value).toBe('start')
    history.redo()
    expect(field.value).toBe('typed more')
  })

  it('skips a step that would undo what others did', () => {
    const history = new EditHistory()
    const mine = createField(history)
    const shared = createField(history)
    mine.change('mine')
    shared.change('shared')
    shared.field.value = 'theirs'
    expect(history.lastDone?.label).toBe('to mine')
    history.undo()
    expect([mine.field.value, shared.field.value]).toEqual(['', 'theirs'])
  })

  it('tells its listeners until they leave', () => {
    const history = new EditHistory()
    let count = 0
    const leave = history.subscribe(() => (count += 1))
    createField(history).change('a')
    leave()
    history.clear()
    expect(count).toBe(1)
    expect(history.lastDone).toBeUndefined()
  })
})
