/** Says days as people write them in a sentence, in this time zone: "3 May", and the year with it where it is not this one. */
export function daySayer(timeZone: string, now: Date): (at: string) => string {
  const whole = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone });
  const short = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', timeZone });
  const year = new Intl.DateTimeFormat('en-GB', { year: 'numeric', timeZone });
  return (at) => {
    const moment = Date.parse(at);
    return (year.format(moment) === year.format(now) ? short : whole).format(moment);
  };
}
