import { Button, Collapse, TagsInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import IconChevronRight from '@tabler/icons-react/dist/esm/icons/IconChevronRight.mjs'
import { useId } from 'react'
import { LikelyNames, maxNames, nameSeparators, splitNames } from '#contract/likely-names.ts'
import classes from './likely-names-field.module.css'

interface LikelyNamesFieldProps {
  names: string[]
  onChange: (names: string[]) => void
}

/** Names for the next transcription, folded away: few recordings need them. */
export function LikelyNamesField({ names, onChange }: LikelyNamesFieldProps) {
  const [isShown, shown] = useDisclosure(false)
  const id = useId()
  const { error } = LikelyNames.safeParse(names)
  return (
    <div className={classes.names}>
      <Button
        variant="subtle"
        color="gray"
        size="compact-sm"
        leftSection={<IconChevronRight size={16} stroke={1.5} className={classes.chevron} aria-hidden />}
        aria-expanded={isShown}
        aria-controls={id}
        onClick={shown.toggle}
      >
        Names likely to be heard{names.length > 0 && ` (${names.length})`}
      </Button>
      <Collapse expanded={isShown} id={id}>
        <TagsInput
          className={classes.field}
          label="Names"
          description="Only names of people and places; other words make the transcript worse."
          placeholder={names.length === 0 ? 'Ahmad, Kandahar' : undefined}
          dir="auto"
          value={names}
          onChange={(changed) => onChange(cleanNames(changed))}
          splitChars={nameSeparators}
          maxTags={maxNames}
          clearable
          clearButtonProps={{ 'aria-label': 'Clear names' }}
          error={error?.issues[0]?.message}
        />
      </Collapse>
    </div>
  )
}

/** Split, trimmed and each once: on leaving the field, what an on-screen keyboard typed is one tag with its commas in it. */
function cleanNames(names: string[]): string[] {
  return [...new Set(names.flatMap(splitNames).map((name) => name.trim()))]
}
