import { NativeSelect, SimpleGrid, Stack, Text, UnstyledButton } from '@mantine/core'
import IconChevronRight from '@tabler/icons-react/dist/esm/icons/IconChevronRight.mjs'
import { useId } from 'react'
import { isolateName } from '#contract/isolated-name.ts'
import { keywordCategories, keywordCategoryNames } from '#contract/keywords/keywords.ts'
import { t } from '#contract/texts/t.ts'
import { formatClock, formatNumber, formatPercent } from '../../../shared/format.ts'
import { useAtom } from '../../../shared/jotai.ts'
import { CategoryIcon } from '../../../shared/keywords/category.tsx'
import { Isolated } from '../../../shared/ui/isolated.tsx'
import { useDesk } from '../state/desk-context.ts'
import { useNavigation } from '../state/navigation.ts'
import { FoldedOptions } from '../panel/folded-options.tsx'
import { usePlayer } from '../player/player-context.ts'
import {
  arePossibleHitsOpenAtom,
  possibleHitThresholdsAtom,
  thresholdChoices,
  usePossibleHits,
  type PlacedPossibleHit,
} from './possible-hits.ts'
import classes from './possible-hit-list.module.css'
import { hitLeadSeconds } from './use-hit-navigation.ts'
import common from '../../../shared/ui/common.module.css'

/** Keywords that the speech model nearly wrote, separate from those in the texts, with the thresholds for showing them. */
export function PossibleHitList() {
  const { transcription } = useDesk()
  const [isOpen, setOpen] = useAtom(arePossibleHitsOpenAtom)
  const possible = usePossibleHits({ isWanted: isOpen })
  const id = useId()
  if (!transcription) return null
  return (
    <Stack component="section" gap={0} mah="50%" className={common.lineAbove} aria-label={t('Possibly said')}>
      <UnstyledButton
        className={classes.head}
        onClick={() => setOpen(!isOpen)}
        aria-expanded={isOpen}
        aria-controls={id}
      >
        <IconChevronRight size={16} stroke={1.5} className={classes.chevron} aria-hidden />
        <span>{t('Possibly said')}</span>
        {possible?.isSearched && (
          <Text span inherit c="dimmed" fz="sm" fw={400} className={common.figures}>
            {formatNumber(possible.hits.length)}
          </Text>
        )}
      </UnstyledButton>
      <div id={id} className={classes.body} hidden={!isOpen}>
        {possible && <PossibleHits {...possible} />}
      </div>
    </Stack>
  )
}

function PossibleHits({ isSearched, hits }: NonNullable<ReturnType<typeof usePossibleHits>>) {
  return (
    <>
      <Text size="sm" c="dimmed" p="0 1rem 0.5rem">
        {isSearched
          ? t(
              'Keywords that the speech model nearly wrote. The transcript has other words there, which sound alike: listen before you rely on one.',
            )
          : t(
              'This transcript was made without looking for what was nearly heard: only Whisper in its ONNX form does so. Transcribe the recording again with it.',
            )}
      </Text>
      {isSearched && (
        <>
          <ol>
            {hits.map((hit) => (
              <li key={`${hit.start} ${hit.channel} ${hit.keyword}`}>
                <PossibleHitRow hit={hit} />
              </li>
            ))}
          </ol>
          <Thresholds />
        </>
      )}
    </>
  )
}

function PossibleHitRow({ hit }: { hit: PlacedPossibleHit }) {
  const { goToLine } = useNavigation()
  const player = usePlayer()

  function play() {
    goToLine(hit.lineId)
    player.seek(Math.max(0, hit.start - hitLeadSeconds))
    if (!player.isPlaying) player.toggle()
  }

  return (
    <UnstyledButton className={classes.row} onClick={play}>
      <Text span inherit c="dimmed" fz="sm" className={common.figures}>
        {formatClock(hit.start)}
      </Text>
      <CategoryIcon category={hit.category} size={16} />
      <Isolated className={classes.keyword}>{hit.keyword}</Isolated>
      <Text span inherit c="dimmed" fz="sm" fw={400} className={common.figures}>
        {formatPercent(hit.probability)}
      </Text>
      <span className={classes.heard}>{t('written: {heard}', { heard: isolateName(hit.heard) })}</span>
    </UnstyledButton>
  )
}

/** Sets the probability from which the hits of each category are shown. */
function Thresholds() {
  const [thresholds, setThresholds] = useAtom(possibleHitThresholdsAtom)
  const choices = [
    ...thresholdChoices.map((value) => ({
      value: String(value),
      label: t('from {probability}', { probability: formatPercent(value) }),
    })),
    { value: '', label: t('None') },
  ]
  return (
    <FoldedOptions title={t('Which are shown')}>
      <SimpleGrid minColWidth={120} spacing="xs" pb="xs">
        {keywordCategories.map((category) => (
          <NativeSelect
            key={category}
            size="xs"
            label={keywordCategoryNames[category].name}
            data={choices}
            value={String(thresholds[category] ?? '')}
            onChange={({ currentTarget: { value } }) =>
              setThresholds({ ...thresholds, [category]: value === '' ? null : Number(value) })
            }
          />
        ))}
      </SimpleGrid>
      <Text size="xs" c="dimmed">
        {t(
          'Of the less probable ones more were said, and more were not. They are looked for when a recording is transcribed, with the keywords of its owner at that time.',
        )}
      </Text>
    </FoldedOptions>
  )
}
