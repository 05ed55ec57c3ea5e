/** The project around `init`: its language, its package manager and its test runner, as a CI job needs them. */
import { existsSync, readdirSync } from 'node:fs';
import {
  addedBy,
  dependenciesOf,
  isNodeProject,
  NPM,
  nodeJob,
  nodeTools,
  packageJson,
  TARBALL,
} from './node-project.ts';
import { firstOf, type Job, type RunnerName, type Setup, textOf } from './project-files.ts';
import { pythonJob } from './python-project.ts';

/** A test runner, and the first test that its projects get. */
export interface Runner {
  /** Below `examples/start`, and where it goes. */
  readonly example: string;
  readonly target: string;
  /** What the test needs in one of these files: without it, the whole project would not compile. */
  readonly needs?: { readonly in: readonly string[]; readonly pattern: RegExp; readonly what: string };
}

const JUNIT = {
  example: 'PetstoreTest.java',
  target: 'src/test/java/PetstoreTest.java',
  needs: {
    in: ['pom.xml', 'build.gradle', 'build.gradle.kts', 'gradle/libs.versions.toml'],
    pattern: /jupiter|junit-?5|useJUnitPlatform|starter-test/i,
    what: 'JUnit 5 (junit-jupiter)',
  },
};

export const RUNNERS: Readonly<Record<RunnerName, Runner>> = {
  vitest: { example: 'vitest.test.ts', target: 'test/petstore.test.ts' },
  jest: { example: 'jest.test.js', target: 'test/petstore.test.js' },
  playwright: { example: 'playwright.spec.ts', target: 'tests/petstore.spec.ts' },
  node: { example: 'node.test.mjs', target: 'test/petstore.test.mjs' },
  pytest: { example: 'test_petstore.py', target: 'tests/test_petstore.py' },
  go: { example: 'petstore_test.go', target: 'petstore/petstore_test.go' },
  maven: JUNIT,
  gradle: JUNIT,
  rspec: { example: 'petstore_spec.rb', target: 'spec/petstore_spec.rb' },
};

export interface Project extends Job {
  /** None where the tests are run by one that is not known. */
  readonly runner: RunnerName | undefined;
  /** How the program is called, and how it is added to the project. */
  readonly program: string;
  readonly add: readonly string[];
}

/** The languages, in the order in which they are recognized: many projects have a package.json for their tools. */
const LANGUAGES: readonly {
  readonly files: readonly string[];
  readonly runners: readonly RunnerName[];
  readonly job: () => Job & { readonly runner?: RunnerName | undefined };
}[] = [
  {
    files: [
      'pyproject.toml',
      'pytest.ini',
      'conftest.py',
      'setup.py',
      'setup.cfg',
      'tox.ini',
      'requirements.txt',
      'Pipfile',
    ],
    runners: ['pytest'],
    job: () => ({ ...pythonJob(), runner: 'pytest' }),
  },
  {
    files: ['go.mod'],
    runners: ['go'],
    job: () => ({
      setup: { uses: 'actions/setup-go@v5', with: { 'go-version-file': 'go.mod' } },
      ...{ image: 'golang:1', install: [], test: 'go test ./...', runner: 'go' },
    }),
  },
  {
    files: ['pom.xml'],
    runners: ['maven'],
    job: () => ({
      setup: javaSetup(),
      ...{ image: `maven:3-eclipse-temurin-${javaVersion()}`, install: [], runner: 'maven' },
      test: `${existsSync('mvnw') ? './mvnw' : 'mvn'} -B test`,
    }),
  },
  {
    files: ['build.gradle', 'build.gradle.kts'],
    runners: ['gradle'],
    job: () => {
      const hasWrapper = existsSync('gradlew');
      return {
        setup: javaSetup(),
        image: hasWrapper ? `eclipse-temurin:${javaVersion()}` : `gradle:jdk${javaVersion()}`,
        ...{ install: [], runner: 'gradle' },
        // A result that Gradle has kept would send no request.
        test: `${hasWrapper ? './gradlew' : 'gradle'} cleanTest test --no-build-cache`,
      };
    },
  },
  { files: ['Gemfile'], runners: ['rspec'], job: rubyJob },
];

/** The project in this folder. @throws {SettingsError} for a damaged package.json */
export function projectHere(wanted?: RunnerName): Project | undefined {
  const manifest = packageJson();
  const language =
    LANGUAGES.find(({ runners }) => wanted !== undefined && runners.includes(wanted)) ??
    (wanted === undefined && !isNodeProject(manifest) ? LANGUAGES.find(({ files }) => firstOf(...files)) : undefined);
  const node = manifest && nodeTools(manifest);
  if (!language) {
    if (!manifest && wanted === undefined) return undefined;
    const tools = node ?? NPM;
    const add = dependenciesOf(manifest).includes('petstore-sandbox') ? [] : [addedBy(tools)];
    return { ...nodeJob(manifest ?? {}, tools, wanted), program: tools.run('petstore-sandbox'), add };
  }
  const job = { runner: wanted, ...language.job() };
  const isAdded = node && dependenciesOf(manifest).includes('petstore-sandbox');
  const program = isAdded ? node.run('petstore-sandbox') : 'petstore-sandbox';
  const install = isAdded ? node.install : [`npm install --global ${TARBALL}`];
  return { ...job, program, install: [...install, ...job.install], add: isAdded ? [] : install };
}

/** Node in an image of another language. */
export const INSTALL_NODE =
  'curl -fsSL https://nodejs.org/dist/v24.11.0/node-v24.11.0-linux-x64.tar.gz | tar -xz -C /usr/local --strip-components=1';

/** At least 21: it compiles for older versions, too. */
function javaVersion(): number {
  const texts = ['pom.xml', 'build.gradle', 'build.gradle.kts'].map(textOf).join('\n');
  const found = [
    ...texts.matchAll(
      /<(?:java\.version|maven\.compiler\.\w+|release)>(\d+)<|(?:LanguageVersion\.of\(|VERSION_|jvmToolchain\()(\d+)/g,
    ),
  ];
  return Math.max(21, ...found.map(([, maven, gradle]) => Number(maven ?? gradle)));
}

const javaSetup = (): Setup => ({
  uses: 'actions/setup-java@v4',
  with: { distribution: 'temurin', 'java-version': String(javaVersion()) },
});

function rubyJob(): Job & { readonly runner: RunnerName | undefined } {
  const gems =
    textOf('Gemfile') +
    textOf('Gemfile.lock') +
    textOf(readdirSync('.').find((name) => name.endsWith('.gemspec')) ?? '');
  const version = /(\d+\.\d+)/.exec(textOf('.ruby-version'))?.[1];
  const [test, runner]: [string, RunnerName | undefined] = /\brspec\b|\brspec-/.test(gems)
    ? ['bundle exec rspec', 'rspec']
    : existsSync('bin/rails')
      ? ['bin/rails test', undefined]
      : existsSync('Rakefile')
        ? ['bundle exec rake test', undefined]
        : ['rspec', 'rspec'];
  const install = ['bundle install', ...(test === 'rspec' ? ['gem install rspec'] : [])];
  return {
    setup: { uses: 'ruby/setup-ruby@v1', with: { 'ruby-version': version ? '.ruby-version' : "'3.4'" } },
    ...{ image: `ruby:${version ?? '3.4'}`, install, test, runner },
  };
}
