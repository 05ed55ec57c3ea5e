-- Sends the requests of a file in turn, from the first to the last and again: a line is a path, a tab, and a body.
-- Arguments after the address: the file, the method. Prints one line of JSON, times in microseconds.
local requests = {}
local at = 0

function init(args)
  for line in io.lines(args[1]) do
    local path, body = line:match('^([^\t]*)\t(.*)$')
    if body == '' then body = nil end
    requests[#requests + 1] = wrk.format(args[2], path, nil, body)
  end
end

function request()
  at = at % #requests + 1
  return requests[at]
end

function done(summary, latency)
  local errors = summary.errors
  print(string.format(
    'RESULT {"requests":%d,"microseconds":%d,"p99":%d,"failures":%d}',
    summary.requests, summary.duration, latency:percentile(99),
    errors.connect + errors.read + errors.write + errors.status + errors.timeout
  ))
end
