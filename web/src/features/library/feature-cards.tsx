import { Text } from '@mantine/core'
import IconArrowsLeftRight from '@tabler/icons-react/dist/esm/icons/IconArrowsLeftRight.mjs'
import IconLanguage from '@tabler/icons-react/dist/esm/icons/IconLanguage.mjs'
import IconListSearch from '@tabler/icons-react/dist/esm/icons/IconListSearch.mjs'
import { t } from '#contract/texts/t.ts'
import { atomWithStorage, useAtom } from '../../shared/jotai.ts'
import classes from './feature-cards.module.css'

const features = [
  {
    id: 'speakers',
    icon: IconArrowsLeftRight,
    title: t('Two speakers, kept apart'),
    text: t('Left and right channel become two speakers, each with their own words and times.'),
  },
  {
    id: 'translation',
    icon: IconLanguage,
    title: t('Translated line by line'),
    text: t('AI transcription, and translation into 50+ languages beside it, in both writing directions.'),
  },
  {
    id: 'keywords',
    icon: IconListSearch,
    title: t('Scanned for your keywords'),
    text: t('Threats, sentiment, intent and your own words, marked in both texts.'),
  },
]

const areFeaturesShownAtom = atomWithStorage('awaz_features_shown', true, undefined, { getOnInit: true })

/** Returns whether the library shows the feature cards, and a setter; the choice is stored in the browser. */
export function useAreFeaturesShown() {
  return useAtom(areFeaturesShownAtom)
}

/** Three cards on what the product does (audio-workflow specification, section 2); if compact, a low row above a list. */
export function FeatureCards({ isCompact = false, id }: { isCompact?: boolean; id?: string }) {
  return (
    <div id={id} className={classes.features} data-compact={isCompact || undefined}>
      {features.map(({ id: feature, icon: Icon, title, text }) => (
        <section key={feature} className={classes.feature}>
          <Icon size={22} stroke={1.5} color="var(--awaz-accent)" aria-hidden />
          <h2>{title}</h2>
          <Text c="dimmed" size="sm">
            {text}
          </Text>
        </section>
      ))}
    </div>
  )
}
