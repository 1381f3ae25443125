import { Button, Modal, TextInput } from '@mantine/core'
import { useState, type SyntheticEvent } from 'react'
import { maxDoubtReasonCharacters } from '#contract/line-marks.ts'
import { t } from '#contract/texts/t.ts'
import { atom, useAtom } from '../../../shared/jotai.ts'
import { DialogActions } from '../../../shared/ui/dialog-actions.tsx'
import type { ConversationLine } from '../state/conversation-line.ts'
import { useReviewActions } from './use-review-actions.ts'

/** The uncertain line that a reason is being asked for; null for none. */
export const doubtedLineAtom = atom<ConversationLine | null>(null)

/** Asks why a line is uncertain. */
export function DoubtDialog() {
  const [line, setLine] = useAtom(doubtedLineAtom)
  const close = () => setLine(null)
  return (
    <Modal opened={line !== null} onClose={close} title={t('Uncertain line')}>
      {line && <DoubtForm line={line} onClose={close} />}
    </Modal>
  )
}

function DoubtForm({ line, onClose }: { line: ConversationLine; onClose: () => void }) {
  const { doubt } = useReviewActions()
  const [reason, setReason] = useState(line.marks.doubt?.is_uncertain ? line.marks.doubt.reason : '')

  function save(event: SyntheticEvent) {
    event.preventDefault()
    doubt(line, reason.trim())
    onClose()
  }

  return (
    <form onSubmit={save}>
      <TextInput
        label={t('Why it is uncertain')}
        description={t('For whoever reads it next. It may be empty.')}
        maxLength={maxDoubtReasonCharacters}
        dir="auto"
        data-autofocus
        value={reason}
        onChange={({ currentTarget }) => setReason(currentTarget.value)}
      />
      <DialogActions onCancel={onClose} gap="md" mt="lg">
        <Button type="submit">{t('Mark as uncertain')}</Button>
      </DialogActions>
    </form>
  )
}
