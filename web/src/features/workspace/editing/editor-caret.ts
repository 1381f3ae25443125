import { atom } from '../../../shared/jotai.ts'

/** Where the caret of the open editor was when the focus left it, for splitting from the menu of its row. */
export const editorCaretAtom = atom<{ lineId: string; offset: number } | null>(null)
