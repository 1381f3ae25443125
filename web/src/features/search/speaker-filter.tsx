import { Button, Group, Popover, TextInput } from '@mantine/core'
import { useState, type FormEvent } from 'react'
import { translateSpeaker } from '#contract/speaker-display.ts'
import { t } from '#contract/texts/t.ts'
import { Isolated } from '../../shared/ui/isolated.tsx'
import { FilterButton } from '../library/filter-menu.tsx'
import classes from './speaker-filter.module.css'

const maxOffered = 8

interface SpeakerFilterProps {
  speaker: string | undefined
  /** Speakers of the results. */
  offered: string[]
  onChange: (speaker: string | undefined) => void
}

/** Restricts lines to those of one speaker, chosen among those of the results or named. */
export function SpeakerFilter({ speaker, offered, onChange }: SpeakerFilterProps) {
  const [isOpen, setIsOpen] = useState(false)
  const [name, setName] = useState('')

  function choose(chosen: string) {
    onChange(chosen.trim() || undefined)
    setIsOpen(false)
    setName('')
  }

  function onSubmit(event: FormEvent) {
    event.preventDefault()
    choose(name)
  }

  return (
    <Popover opened={isOpen} onChange={setIsOpen} position="bottom-start" shadow="md" trapFocus returnFocus>
      <Popover.Target>
        <FilterButton
          label={t('Speaker')}
          count={speaker ? 1 : 0}
          aria-expanded={isOpen}
          onClick={() => setIsOpen(!isOpen)}
        />
      </Popover.Target>
      <Popover.Dropdown aria-label={t('Speaker')} className={classes.dropdown}>
        <form onSubmit={onSubmit} className={classes.form}>
          <TextInput
            size="sm"
            label={t('Name')}
            maxLength={100}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <Button type="submit" size="sm" variant="default" disabled={name.trim() === ''}>
            {t('Apply')}
          </Button>
        </form>
        {offered.length > 0 && (
          <Group role="group" aria-label={t('Speakers of these results')} gap={6} align="stretch">
            {offered.slice(0, maxOffered).map((each) => (
              <Button key={each} variant="default" size="compact-sm" h={28} onClick={() => choose(each)}>
                <Isolated>{translateSpeaker(each)}</Isolated>
              </Button>
            ))}
          </Group>
        )}
      </Popover.Dropdown>
    </Popover>
  )
}
