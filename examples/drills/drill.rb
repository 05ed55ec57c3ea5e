# Net::HTTP of Ruby with its defaults: one retry of what may be repeated, and timeouts of 60 seconds.
require 'json'
require 'net/http'

URL = ENV.fetch('SANDBOX_URL')
NAME, ID, TIMES = ENV['SANDBOX_PET_NAME'], ENV['SANDBOX_PET_ID'], ENV.fetch('SANDBOX_TIMES').to_i

def send_request(type, path, body = nil)
  uri = URI(URL + path)
  request = type.new(uri, 'Authorization' => "Bearer #{ENV.fetch('SANDBOX_KEY')}", 'Content-Type' => 'application/json')
  request.body = JSON.generate(body) if body
  response = Net::HTTP.start(uri.host, uri.port) { |http| http.request(request) }
  raise "#{response.code} #{response.body}" unless response.is_a?(Net::HTTPSuccess)
  JSON.parse(response.body)
end

def list = send_request(Net::HTTP::Get, '/pets?limit=100')
def create = send_request(Net::HTTP::Post, '/pets', { name: NAME, categoryId: 1 })
def get(id) = send_request(Net::HTTP::Get, "/pets/#{id}")

# What the task asks for, a line of JSON each.
results = case ENV.fetch('SANDBOX_TASK')
          when 'list' then Array.new(TIMES) { list }
          when 'list-at-once' then Array.new(TIMES) { Thread.new { list } }.map(&:value)
          when 'create' then [create]
          when 'get' then [get(ID)]
          when 'list-and-get' then [get(list.find { |pet| pet['name'] == NAME }['id'])]
          when 'all' then [list, create, get(ID)]
          end
results.each { |result| puts JSON.generate(result) }
