import { Button, Group, Textarea } from '@mantine/core'
import { useEffect, useRef, useState, type FormEvent, type KeyboardEvent } from 'react'
import { t } from '#contract/texts/t.ts'
import { parseWordLines, type ListedWord } from '#contract/word-lists.ts'
import { Form } from '../ui/form.tsx'
import { isFocusLost } from './use-word-focus.ts'

const maxRows = 8

interface ListedWordFormProps {
  /** The word being changed; null if words are being added. */
  edited: ListedWord | null
  /** Returns why the words cannot be saved; undefined if they can. */
  findProblem: (words: ListedWord[]) => string | undefined
  /** Returns whether the words were saved. */
  onSave: (words: ListedWord[]) => Promise<boolean>
  /** Cancels a change. */
  onCancel?: () => void
}

/** Accepts one or many lines. Enter starts a line, as touch keyboards have no other key for it; Ctrl+Enter saves, Escape ends a change. */
export function ListedWordForm({ edited, findProblem, onSave, onCancel }: ListedWordFormProps) {
  const [text, setText] = useState(edited ? toLine(edited) : '')
  const [isSubmitted, setIsSubmitted] = useState(false)
  const [isSaving, setIsSaving] = useState(false)
  const fieldRef = useRef<HTMLTextAreaElement>(null)
  useEffect(() => {
    if (edited) fieldRef.current?.focus()
  }, [edited])
  const words = parseWordLines(text)
  const problem = words.length > 0 ? findProblem(words) : undefined
  const error = isSubmitted || text.includes('\n') ? problem : undefined

  async function submit() {
    setIsSubmitted(true)
    if (words.length === 0 || problem !== undefined || isSaving) return
    setIsSaving(true)
    const isSaved = await onSave(words)
    setIsSaving(false)
    if (isSaved) {
      setText('')
      setIsSubmitted(false)
    }
    const field = fieldRef.current
    if (isFocusLost() || field?.form?.contains(document.activeElement)) field?.focus()
  }

  function onSubmit(event: FormEvent) {
    event.preventDefault()
    void submit()
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.key === 'Escape') onCancel?.()
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    void submit()
  }

  return (
    <Form gap="xs" onSubmit={onSubmit}>
      <Textarea
        label={edited ? t('Change {word}', { word: edited.word }) : t('Add words')}
        description={t(
          'One per line, other spellings after an equals sign. These are always replaced: Khan = can turns every “can” into Khan. Ctrl+Enter saves.',
        )}
        descriptionProps={{ size: 'sm' }}
        inputWrapperOrder={['label', 'input', 'error', 'description']}
        placeholder={t('Qandahar = Kandahar, Candahar')}
        rows={Math.min(maxRows, text.split('\n').length)}
        value={text}
        error={error}
        readOnly={isSaving}
        ref={fieldRef}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <Group gap="xs" justify="flex-end">
        {onCancel && (
          <Button variant="default" size="xs" onClick={onCancel}>
            {t('Cancel')}
          </Button>
        )}
        <Button type="submit" size="xs" loading={isSaving} disabled={words.length === 0}>
          {edited ? t('Save') : addLabel(words.length)}
        </Button>
      </Group>
    </Form>
  )
}

function addLabel(count: number): string {
  return count > 1 ? t('{count, plural, one {Add # word} other {Add # words}}', { count }) : t('Add')
}

function toLine({ word, heard_as: others }: ListedWord): string {
  return others.length === 0 ? word : `${word} = ${others.join(', ')}`
}
