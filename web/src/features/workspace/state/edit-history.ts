import { useState, useSyncExternalStore } from 'react'

/** A change that can be undone. */
export interface EditStep {
  kind: 'lines' | 'speakers'
  /** What was done, such as "Line corrected". */
  label: string
  undo: () => void
  redo: () => void
  /** Whether undoing or redoing the step would affect nothing else; false once its lines were changed elsewhere. */
  canUndo: () => boolean
  canRedo: () => boolean
  /** Consecutive steps of the same session are combined into one. */
  session?: string
}

/** The changes to lines and speakers of a recording, in the order they were made. */
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

  /** Increases with each change. */
  get version(): number {
    return this.#version
  }

  /** The step that undo would revert. */
  get lastDone(): EditStep | undefined {
    return this.#done.findLast((step) => step.canUndo())
  }

  get lastUndone(): EditStep | undefined {
    return this.#undone.findLast((step) => step.canRedo())
  }

  /** Adds a step that was just done; steps undone before it can no longer be redone. */
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
