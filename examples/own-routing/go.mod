module own-routing

go 1.26.0

require contend v0.0.0

require gonum.org/v1/gonum v0.17.0 // indirect

replace contend => ../..
