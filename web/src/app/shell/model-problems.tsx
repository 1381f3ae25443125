import { Anchor } from '@mantine/core'
import { Link } from 'react-router-dom'
import type { ModelHealth } from '#contract/entities/model-health.ts'
import { t } from '#contract/texts/t.ts'
import { languageName, useLanguages } from '../../shared/recordings/languages.ts'
import classes from './shell.module.css'

/** Shows administrators which languages are unavailable because a model cannot be used, and why. */
export function ModelProblems({ canManage }: { canManage: boolean }) {
  const models = useLanguages().features?.models ?? []
  const broken = models.filter(({ problem }) => problem !== null)
  if (broken.length === 0) return null
  return (
    <div className={classes.problems} role="status">
      <ul>
        {broken.map((model) => (
          <li key={`${model.kind} ${model.id} ${model.languages.join()} ${model.pairs.join()}`}>
            {describeLoss(model)}: {model.problem}
          </li>
        ))}
      </ul>
      {canManage && (
        <Anchor component={Link} to="/admin/system/models" size="sm">
          {t('Models')}
        </Anchor>
      )}
    </div>
  )
}

function describeLoss({ kind, languages, pairs }: ModelHealth): string {
  const what = kind === 'speech' ? t('No transcription') : t('No translation')
  if (pairs.length > 0) return `${what} ${pairs.map(describePair).join(', ')}`
  if (kind === 'translation' || languages.length === 0) return what
  return `${what} of ${new Intl.ListFormat('en').format(languages.map(languageName))}`
}

function describePair(pair: string): string {
  const [source = '', target = ''] = pair.split('-')
  return `from ${languageName(source)} to ${languageName(target)}`
}
