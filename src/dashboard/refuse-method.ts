/** The 405 of the paths that can only be read. */
import type { RequestHandler } from 'express';
import { ApiError } from '../errors.ts';

/** @throws {ApiError} `method_not_allowed`, for every method but GET and HEAD */
export const refuseMethod: RequestHandler = (req) => {
  throw new ApiError('method_not_allowed', `${req.method} is not possible here; the methods are GET, HEAD`, [
    'Allow',
    'GET, HEAD',
  ]);
};
