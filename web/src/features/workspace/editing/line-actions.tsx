import { ActionIcon, Menu } from '@mantine/core'
import IconArrowsJoin2 from '@tabler/icons-react/dist/esm/icons/IconArrowsJoin2.mjs'
import IconArrowsSplit2 from '@tabler/icons-react/dist/esm/icons/IconArrowsSplit2.mjs'
import IconCheck from '@tabler/icons-react/dist/esm/icons/IconCheck.mjs'
import IconCopy from '@tabler/icons-react/dist/esm/icons/IconCopy.mjs'
import IconDots from '@tabler/icons-react/dist/esm/icons/IconDots.mjs'
import IconFlag from '@tabler/icons-react/dist/esm/icons/IconFlag.mjs'
import IconHelpCircle from '@tabler/icons-react/dist/esm/icons/IconHelpCircle.mjs'
import IconLink from '@tabler/icons-react/dist/esm/icons/IconLink.mjs'
import IconMessageQuestion from '@tabler/icons-react/dist/esm/icons/IconMessageQuestion.mjs'
import IconNote from '@tabler/icons-react/dist/esm/icons/IconNote.mjs'
import IconPencil from '@tabler/icons-react/dist/esm/icons/IconPencil.mjs'
import IconQuote from '@tabler/icons-react/dist/esm/icons/IconQuote.mjs'
import IconRestore from '@tabler/icons-react/dist/esm/icons/IconRestore.mjs'
import IconVocabularyOff from '@tabler/icons-react/dist/esm/icons/IconVocabularyOff.mjs'
import { useState, type ReactNode } from 'react'
import { t } from '#contract/texts/t.ts'
import type { Segment } from '#contract/transcription.ts'
import { listCorrections, undoCorrection } from '#contract/word-corrections.ts'
import { formatClock } from '../../../shared/format.ts'
import { useAtomValue, useSetAtom } from '../../../shared/jotai.ts'
import { rich } from '../../../shared/texts/rich.tsx'
import { DirectionalText } from '../../../shared/ui/directional-text.tsx'
import { Isolated } from '../../../shared/ui/isolated.tsx'
import { type ConversationLine, isUncertainLine } from '../state/conversation-line.ts'
import { useDesk } from '../state/desk-context.ts'
import { usePermissions } from '../state/permissions.ts'
import { useAddNote, useFlagLine } from '../notes/add-note.ts'
import { doubtedLineAtom } from '../review/doubt-dialog.tsx'
import { useReviewActions } from '../review/use-review-actions.ts'
import { useSpeakers } from '../speakers/recording-speakers.ts'
import { useAnnounce } from '../state/announce.ts'
import { editorCaretAtom } from './editor-caret.ts'
import classes from './line-actions.module.css'
import { nextOfSpeaker } from './neighbours.ts'
import { useQuoteLine } from './quote-line.ts'
import { SpeakerItems } from './speaker-items.tsx'

const iconProps = { size: 16, stroke: 1.5, 'aria-hidden': true } as const

/** The menu of a line. None of its actions asks for confirmation: every change can be undone. */
export function LineActions({ line }: { line: ConversationLine }) {
  // The editor takes the focus; the menu must not take it back.
  const [returnsFocus, setReturnsFocus] = useState(true)
  return (
    <Menu position="bottom-end" width={264} returnFocus={returnsFocus} onOpen={() => setReturnsFocus(true)}>
      <Menu.Target>
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={t('Actions for the line at {start}', { start: formatClock(line.start) })}
        >
          <IconDots size={18} stroke={1.5} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown className={classes.menu}>
        <LineItems line={line} keepFocus={() => setReturnsFocus(false)} />
      </Menu.Dropdown>
    </Menu>
  )
}

function LineItems({ line, keepFocus }: { line: ConversationLine; keepFocus: () => void }) {
  const { canEdit } = usePermissions()
  return (
    <>
      {canEdit && <EditItems line={line} keepFocus={keepFocus} />}
      {canEdit && <ReviewItems line={line} keepFocus={keepFocus} />}
      <CopyItems line={line} />
      {canEdit && <CorrectionItems line={line} />}
    </>
  )
}

function EditItems({ line, keepFocus }: { line: ConversationLine; keepFocus: () => void }) {
  const { lines, editing } = useDesk()
  const addNote = useAddNote()
  const flagLine = useFlagLine()
  const next = nextOfSpeaker(lines, line)

  function edit() {
    keepFocus()
    editing.open(line.id)
  }

  return (
    <>
      <Item icon={<IconPencil {...iconProps} />} keys="E" onClick={edit}>
        {t('Edit')}
      </Item>
      <SplitItem line={line} keepFocus={keepFocus} />
      {next && (
        <Item icon={<IconArrowsJoin2 {...iconProps} />} onClick={() => editing.joinWithNext(line, next)}>
          {t('Join with the next line, {start}', { start: formatClock(next.start) })}
        </Item>
      )}
      <Item icon={<IconNote {...iconProps} />} keys="B" onClick={() => addNote(line.start)}>
        {t('Add note')}
      </Item>
      <Item icon={<IconFlag {...iconProps} />} keys="G" onClick={() => flagLine(line)}>
        {t('Flag')}
      </Item>
    </>
  )
}

/** Verifies the line, or marks it as uncertain. */
function ReviewItems({ line, keepFocus }: { line: ConversationLine; keepFocus: () => void }) {
  const review = useReviewActions()
  const askForReason = useSetAtom(doubtedLineAtom)
  const isVerified = review.isVerifiedByMe(line)
  const isUncertain = isUncertainLine(line)

  function ask() {
    keepFocus()
    askForReason(line)
  }

  return (
    <>
      <Item icon={<IconCheck {...iconProps} />} keys="V" onClick={() => review.toggleVerified(line)}>
        {isVerified ? t('Remove my verification') : t('Verify')}
      </Item>
      <Item icon={<IconHelpCircle {...iconProps} />} keys="D" onClick={() => review.toggleDoubt(line)}>
        {isUncertain ? t('Not uncertain') : t('Uncertain')}
      </Item>
      <Item icon={<IconMessageQuestion {...iconProps} />} onClick={ask}>
        {t('Uncertain, because…')}
      </Item>
    </>
  )
}

function CopyItems({ line }: { line: ConversationLine }) {
  const { copyLine, copyQuote, copyLink } = useQuoteLine()
  return (
    <>
      <Item icon={<IconCopy {...iconProps} />} onClick={() => void copyLine(line)}>
        {t('Copy')}
      </Item>
      <Item icon={<IconQuote {...iconProps} />} keys="C" onClick={() => void copyQuote(line)}>
        {t('Copy with a link')}
      </Item>
      <Item icon={<IconLink {...iconProps} />} keys="L" onClick={() => void copyLink(line)}>
        {t('Copy link to this line')}
      </Item>
    </>
  )
}

/** Restores words as heard, assigns the line to another speaker, and reverts it to the model's text. */
function CorrectionItems({ line }: { line: ConversationLine }) {
  const { editing } = useDesk()
  const { voices } = useSpeakers()
  const original = editing.originalOf(line)
  return (
    <>
      {line.segment && <WordItems line={line} segment={line.segment} />}
      {line.segment && voices.length > 1 && <SpeakerItems line={line.segment} />}
      {line.segment?.isEdited && (
        <>
          <Menu.Divider />
          <Item icon={<IconRestore {...iconProps} />} onClick={() => editing.revert(line)}>
            {t('Return to what the model wrote')}
            {original !== undefined && (
              <DirectionalText language={line.language} className={classes.original}>
                {original}
              </DirectionalText>
            )}
          </Item>
        </>
      )}
    </>
  )
}

/** Undoes single word-list corrections, restoring what was heard. */
function WordItems({ line, segment }: { line: ConversationLine; segment: Segment }) {
  const { editing } = useDesk()
  const corrections = listCorrections(segment)
  if (corrections.length === 0) return null
  return (
    <>
      <Menu.Divider />
      {corrections.map((correction) => (
        <Item
          key={correction.start}
          icon={<IconVocabularyOff {...iconProps} />}
          onClick={() => editing.changeText(line, undoCorrection(segment.text, correction))}
        >
          {rich('Write “{heard}” as heard, not “{written}”', {
            heard: <Isolated>{correction.heard}</Isolated>,
            written: <Isolated>{correction.written}</Isolated>,
          })}
        </Item>
      ))}
    </>
  )
}

/** Splits the line that is being edited where its caret is. */
function SplitItem({ line, keepFocus }: { line: ConversationLine; keepFocus: () => void }) {
  const { editing } = useDesk()
  const announce = useAnnounce()
  const caret = useAtomValue(editorCaretAtom)
  if (editing.editedLineId !== line.id || caret?.lineId !== line.id) return null

  function split() {
    keepFocus()
    const isSplit = editing.split(line, caret?.offset ?? 0)
    announce(isSplit ? t('Line split') : t('A line cannot be empty: put the caret between two words to split it'))
  }

  return (
    <Item icon={<IconArrowsSplit2 {...iconProps} />} keys="Ctrl Enter" onClick={split}>
      {t('Split at the caret')}
    </Item>
  )
}

interface ItemProps {
  icon: ReactNode
  /** The keys that do the same. */
  keys?: string
  onClick: () => void
  children: ReactNode
}

function Item({ icon, keys, onClick, children }: ItemProps) {
  return (
    <Menu.Item
      leftSection={icon}
      rightSection={
        keys && (
          <kbd className={classes.keys} aria-hidden>
            {keys}
          </kbd>
        )
      }
      onClick={onClick}
      aria-keyshortcuts={keys?.replace('Ctrl ', 'Control+')}
    >
      {children}
    </Menu.Item>
  )
}
