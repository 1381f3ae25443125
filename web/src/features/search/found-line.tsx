import IconFileMusic from '@tabler/icons-react/dist/esm/icons/IconFileMusic.mjs'
import IconLanguage from '@tabler/icons-react/dist/esm/icons/IconLanguage.mjs'
import IconNote from '@tabler/icons-react/dist/esm/icons/IconNote.mjs'
import IconUser from '@tabler/icons-react/dist/esm/icons/IconUser.mjs'
import { Link } from 'react-router-dom'
import type { FoundLine as Found } from '#contract/endpoints/search.ts'
import { translateSpeaker } from '#contract/speaker-display.ts'
import { t } from '#contract/texts/t.ts'
import { formatClock } from '../../shared/format.ts'
import { languageName } from '../../shared/recordings/languages.ts'
import common from '../../shared/ui/common.module.css'
import { DirectionalText, readsAgainstPage } from '../../shared/ui/directional-text.tsx'
import { createDescriber } from '../workspace/speakers/describe-speaker.ts'
import { SpeakerChip } from '../workspace/speakers/speaker-chip.tsx'
import classes from './found-line.module.css'
import { MarkedText } from './marked-text.tsx'

interface FoundLineProps {
  line: Found
  /** Address of the line in the workspace. */
  to: string
  resultKey: string
  /** Whether this is the result in the tab order. */
  isTabStop: boolean
}

const describeSpeaker = createDescriber(null, { names: {}, merged: {} })

/** A line with its matches marked, and the lines before and after it. All of it links to the workspace. */
export function FoundLine({ line, to, resultKey, isTabStop }: FoundLineProps) {
  const { language, speaker, text, marks, spelled, before, after } = line
  return (
    <li className={classes.line} data-turned={readsAgainstPage(language, text) || undefined}>
      {before !== null && <Neighbour text={before} language={language} />}
      <Link to={to} className={`${common.cover} ${classes.link}`} tabIndex={isTabStop ? 0 : -1} data-result={resultKey}>
        <span className={classes.time}>{formatClock(line.start)}</span>{' '}
        {speaker && (
          <span className={classes.speaker}>
            <SpeakerChip speaker={{ ...describeSpeaker(speaker), name: translateSpeaker(speaker) }} />
          </span>
        )}{' '}
        <Kind line={line} />{' '}
        <DirectionalText as="span" language={language} plainText={text} className={classes.text}>
          <MarkedText text={text} marks={marks} spelled={spelled} />
        </DirectionalText>
      </Link>
      {after !== null && <Neighbour text={after} language={language} />}
    </li>
  )
}

/** Says what the text is, unless it is spoken words. */
function Kind({ line: { kind, language } }: { line: Found }) {
  if (kind === 'line') return null
  const { Icon, label } = {
    name: { Icon: IconFileMusic, label: t('Name') },
    note: { Icon: IconNote, label: t('Note') },
    speaker: { Icon: IconUser, label: t('Speaker') },
    translation: {
      Icon: IconLanguage,
      label: language ? t('{language} translation', { language: languageName(language) }) : t('Translation'),
    },
  }[kind]
  return (
    <span className={classes.kind}>
      <Icon size={14} stroke={1.5} aria-hidden />
      {label}
    </span>
  )
}

function Neighbour({ text, language }: { text: string; language: string | null }) {
  return (
    <span className={classes.neighbour}>
      <DirectionalText language={language} as="span" className={classes.words}>
        {text}
      </DirectionalText>
    </span>
  )
}
