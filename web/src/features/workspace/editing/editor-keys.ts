import { t } from '#contract/texts/t.ts'

/** The keys of an open line, as listed in the desk's help. */
export const editorKeys = [
  { shown: 'Enter', effect: t('Save the line and go on to the next') },
  { shown: 'Esc', effect: t('Return to the text before') },
  { shown: '↑ ↓', effect: t('Line above or below, from the edge of the text') },
  { shown: 'Ctrl Enter', effect: t('Split at the caret') },
  { shown: 'Backspace', effect: t('At the start: join with the line before of the speaker') },
  { shown: 'Ctrl Shift Space', effect: t('Play the line') },
]

/** The undo and redo keys, which work outside text fields. */
export const historyKeys = [
  { shown: 'Ctrl Z', effect: t('Undo the last change') },
  { shown: 'Ctrl Shift Z', effect: t('Make it again') },
]
