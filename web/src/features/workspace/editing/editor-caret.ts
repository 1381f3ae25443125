import { atom } from '../../../shared/jotai.ts'

/** Where the caret of the open editor was when it lost the focus, for splitting the line from its row's menu. */
export const editorCaretAtom = atom<{ lineId: string; offset: number } | null>(null)
