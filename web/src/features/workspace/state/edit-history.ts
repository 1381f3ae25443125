import { useState, useSyncExternalStore } from 'react'

/** A change that can be taken back. */
export interface EditStep {
  kind: 'lines' | 'speakers'
  /** What was done, such as "Line corrected". */
  label: string
  undo: () => void
  redo: () => void
  /** Whether taking it back, or doing it again, would change nothing but this: false once its lines were changed elsewhere. */
  canUndo: () => boolean
  canRedo: () => boolean
  /** Steps of one session that follow one another become one. */
  session?: string
}

/** The changes to lines and speakers of a recording in the order they were made. */
export class EditHistory {
  #done: EditStep[] = []
  #undone: EditStep[] = []
  #version = 0
  readonly #listeners = new Set<() => void>()

  /** Calls `listener` after each change. Returns an unsubscribe function. */
  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Grows with each change. */
  get version(): number {
    return this.#version
  }

  /** The step that undo would take back. */
  get lastDone(): EditStep | undefined {
    return this.#done.findLast((step) => step.canUndo())
  }

  get lastUndone(): EditStep | undefined {
    return this.#undone.findLast((step) => step.canRedo())
  }

  /** Adds a step that was just done; what was undone before can no longer be done again. */
  record(step: EditStep): void {
    const last = this.#done.at(-1)
    const continues = last?.session !== undefined && last.session === step.session && this.#undone.length === 0
    if (continues) this.#done[this.#done.length - 1] = { ...step, undo: last.undo, canRedo: last.canRedo }
    else this.#done.push(step)
    this.#undone = []
    this.#notify()
  }

  undo(): void {
    const step = this.lastDone
    if (!step) return
    this.#done = this.#done.slice(0, this.#done.indexOf(step))
    this.#undone.push(step)
    step.undo()
    this.#notify()
  }

  redo(): void {
    const step = this.lastUndone
    if (!step) return
    this.#undone = this.#undone.slice(0, this.#undone.indexOf(step))
    this.#done.push(step)
    step.redo()
    this.#notify()
  }

  clear(): void {
    this.#done = []
    this.#undone = []
    this.#notify()
  }

  #notify(): void {
    this.#version += 1
    for (const listener of this.#listeners) listener()
  }
}

/** Returns the history of the recording on screen, which lines and speakers share. */
export function useEditHistory(): EditHistory {
  const [history] = useState(() => new EditHistory())
  useSyncExternalStore(history.subscribe, () => history.version)
  return history
}
