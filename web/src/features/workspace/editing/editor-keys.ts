/** The keys of an open line, as the desk's help lists them. */
export const editorKeys = [
  { shown: 'Enter', effect: 'Save the line and go on to the next' },
  { shown: 'Esc', effect: 'Return to the text before' },
  { shown: '↑ ↓', effect: 'Line above or below, from the edge of the text' },
  { shown: 'Ctrl Enter', effect: 'Split at the caret' },
  { shown: 'Backspace', effect: 'At the start: join with the line before of the speaker' },
  { shown: 'Ctrl Shift Space', effect: 'Play the line' },
]

/** The keys of changes, outside of text fields. */
export const historyKeys = [
  { shown: 'Ctrl Z', effect: 'Undo the last change' },
  { shown: 'Ctrl Shift Z', effect: 'Make it again' },
]
