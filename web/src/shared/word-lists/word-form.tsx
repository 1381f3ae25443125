import { Button, Textarea } from '@mantine/core'
import { useEffect, useId, useRef, useState, type FormEvent, type KeyboardEvent } from 'react'
import { ListedWord, parseWordLines } from '#contract/word-lists.ts'
import classes from './word-list.module.css'

const maxRows = 8

interface WordFormProps {
  /** The word that is changed; null where words are added. */
  edited: ListedWord | null
  isSaving: boolean
  /** Returns whether the words were saved. */
  onSave: (words: ListedWord[]) => Promise<boolean>
  onCancel: () => void
}

/** Takes one word or many pasted lines. Enter saves, Shift and Enter begins a line, Escape ends a change. */
export function WordForm({ edited, isSaving, onSave, onCancel }: WordFormProps) {
  const [text, setText] = useState(edited ? toLine(edited) : '')
  const [isSubmitted, setIsSubmitted] = useState(false)
  const helpId = useId()
  const fieldRef = useRef<HTMLTextAreaElement>(null)
  useEffect(() => {
    if (edited) fieldRef.current?.focus()
  }, [edited])
  const { words, problem } = readWords(text)
  const error = isSubmitted || text.includes('\n') ? problem : undefined

  async function submit(event?: FormEvent) {
    event?.preventDefault()
    setIsSubmitted(true)
    if (words.length === 0 || problem !== undefined || isSaving) return
    if (!(await onSave(words))) return
    setText('')
    setIsSubmitted(false)
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.key === 'Escape' && edited) onCancel()
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
    event.preventDefault()
    void submit()
  }

  return (
    <form className={classes.form} onSubmit={(event) => void submit(event)}>
      <Textarea
        label={edited ? `Change ${edited.word}` : 'Add words'}
        placeholder="Qandahar = Kandahar, Candahar"
        dir="auto"
        rows={Math.min(maxRows, text.split('\n').length)}
        value={text}
        error={error}
        aria-describedby={helpId}
        ref={fieldRef}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <div className={classes.formFoot}>
        <p id={helpId} className={classes.help}>
          One a line; after an equals sign how it was heard instead.
        </p>
        {edited && (
          <Button variant="default" size="xs" onClick={onCancel}>
            Cancel
          </Button>
        )}
        <Button type="submit" size="xs" loading={isSaving} disabled={words.length === 0}>
          {edited ? 'Save' : addLabel(words.length)}
        </Button>
      </div>
    </form>
  )
}

function addLabel(count: number): string {
  return count > 1 ? `Add ${count} words` : 'Add'
}

/** Returns the words of a text, and what is wrong with the first that cannot be listed. */
function readWords(text: string): { words: ListedWord[]; problem: string | undefined } {
  const words = parseWordLines(text)
  for (const word of words) {
    const { error } = ListedWord.safeParse(word)
    if (error) return { words, problem: `${word.word.slice(0, 40)}: ${error.issues[0]?.message ?? ''}` }
  }
  return { words, problem: undefined }
}

function toLine({ word, heard_as: others }: ListedWord): string {
  return others.length === 0 ? word : `${word} = ${others.join(', ')}`
}
