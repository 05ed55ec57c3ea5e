/** A project of Python around `init`: what installs its packages, and pytest. */
import { existsSync, readdirSync } from 'node:fs';
import { type Job, textOf } from './project-files.ts';

/** Its job. */
export function pythonJob(): Job {
  const project = textOf('pyproject.toml');
  const version = /^(?:[a-z]+-)?(\d+\.\d+)/.exec(textOf('.python-version'))?.[1];
  const setup = {
    uses: 'actions/setup-python@v5',
    with: existsSync('.python-version')
      ? { 'python-version-file': '.python-version' }
      : /^(?:requires-python|python) *=/m.test(project)
        ? { 'python-version-file': 'pyproject.toml' }
        : { 'python-version': "'3.x'" },
  };
  return { setup, image: `python:${version ?? '3'}`, ...pythonTools(project) };
}

function pythonTools(project: string): Pick<Job, 'install' | 'test'> {
  if (existsSync('uv.lock') || /^\[tool\.uv\b/m.test(project)) {
    const locked = existsSync('uv.lock') ? ' --locked' : '';
    // An extra or a group may have pytest.
    if (hasPytest('uv.lock', 'pyproject.toml'))
      return {
        install: ['pip install uv', `uv sync${locked} --all-extras --all-groups`],
        test: 'uv run --no-sync pytest',
      };
    return { install: ['pip install uv', `uv sync${locked}`], test: 'uv run --with pytest pytest' };
  }
  if (existsSync('poetry.lock') || /^\[tool\.poetry\b/m.test(project)) {
    const pytest = hasPytest('poetry.lock', 'pyproject.toml') ? [] : ['poetry run pip install pytest'];
    return { install: ['pip install poetry', 'poetry install --all-extras', ...pytest], test: 'poetry run pytest' };
  }
  if (existsSync('Pipfile')) {
    const pytest = hasPytest('Pipfile', 'Pipfile.lock') ? [] : ['pipenv run pip install pytest'];
    const install = existsSync('Pipfile.lock') ? 'pipenv sync --dev' : 'pipenv install --dev';
    return { install: ['pip install pipenv', install, ...pytest], test: 'pipenv run python -m pytest' };
  }
  return pipTools(project);
}

function pipTools(project: string): Pick<Job, 'install' | 'test'> {
  const files = requirementFiles();
  const [, extras = ''] = /^\[project\.optional-dependencies\]\s*\n((?:(?!\[).*\n?)*)/m.exec(project) ?? [];
  const [, extra] = /^(tests?|testing|dev)\s*=/m.exec(extras) ?? [];
  const [, group] = /^\[dependency-groups\]\s*\n(?:(?!\[).*\n)*?(tests?|testing|dev)\s*=/m.exec(project) ?? [];
  const isPackage = /^\[(?:project|build-system)\]/m.test(project) || existsSync('setup.py');
  return {
    install: [
      ...files.map((file) => `pip install -r ${file}`),
      ...(isPackage ? [`pip install -e ${extra ? `'.[${extra}]'` : '.'}`] : []),
      ...(group ? [`pip install --group ${group}`] : []),
      // It changes nothing where one of them has brought it.
      'pip install pytest',
    ],
    test: 'python -m pytest',
  };
}

const hasPytest = (...files: readonly string[]): boolean => files.some((file) => /\bpytest\b/.test(textOf(file)));

/** `requirements.txt`, `requirements-dev.txt`, `dev-requirements.txt`, `requirements/test.txt` */
function requirementFiles(): readonly string[] {
  const inFolder = existsSync('requirements') ? readdirSync('requirements').map((name) => `requirements/${name}`) : [];
  return [...readdirSync('.'), ...inFolder]
    .filter((name) =>
      /^(?:requirements(?:[-_.](?:dev|tests?|testing))?|(?:dev|tests?)[-_]requirements|requirements\/(?:base|main|dev|tests?))\.txt$/.test(
        name,
      ),
    )
    .sort();
}
