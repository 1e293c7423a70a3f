// Vitest setup: properties try the same samples in every run of the suite, so a failure is about what was changed. `npm run prove -- models`
// tries other samples each time, and more of them.
import fc from 'fast-check';

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(process.env.PROPERTY_SEED ?? 1) });
