import js from '@eslint/js';
import tseslint from 'typescript-eslint';

export default tseslint.config(
  { ignores: ['dist/', 'out/', 'node_modules/', '*.vsix'] },
  js.configs.recommended,
  {
    files: ['**/*.ts'],
    extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
    languageOptions: {
      parserOptions: {
        project: ['./tsconfig.json', './src/panel/tsconfig.json'],
        tsconfigRootDir: import.meta.dirname,
      },
    },
    rules: {
      eqeqeq: 'error',
      'no-console': 'error',
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      // Numbers read well in a template: `${line}`.
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      // The compiler asks for brackets on index signatures, this rule for dots.
      '@typescript-eslint/dot-notation': 'off',
    },
  },
  {
    // Text of a model must never meet the HTML parser.
    files: ['src/panel/**/*.ts'],
    rules: {
      'no-restricted-properties': [
        'error',
        ...['innerHTML', 'outerHTML', 'insertAdjacentHTML', 'srcdoc', 'write'].map((property) => ({
          property,
          message: 'Build elements with `make`.',
        })),
      ],
    },
  },
  {
    files: ['test/**/*.ts'],
    rules: {
      // `node:test` returns promises that nobody has to wait for.
      '@typescript-eslint/no-floating-promises': 'off',
      // A test says what it expects to find in a file or a page.
      '@typescript-eslint/no-unnecessary-type-parameters': 'off',
    },
  },
  { files: ['scripts/*.mjs', '*.mjs'], languageOptions: { globals: { process: 'readonly' } } },
);
